"""Requests whose refusals are answers."""

import json
import urllib.error
import urllib.request


def ask(server, method: str, path: str, body=None, **headers) -> tuple[int, bytes, dict]:
    request = urllib.request.Request(
        server.url + path, method=method, data=None if body is None else json.dumps(body).encode(),
        headers={**({} if body is None else {"Content-Type": "application/json"}), **headers})
    try:
        with urllib.request.urlopen(request, timeout=30) as answer:
            stream = "event-stream" in answer.headers.get("Content-Type", "")
            return answer.status, b"" if stream else answer.read(), dict(answer.headers)
    except urllib.error.HTTPError as problem:
        return problem.code, problem.read(), dict(problem.headers)
