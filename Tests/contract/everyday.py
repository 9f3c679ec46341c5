"""What of the tool's requests is not sent each day: with TEST_ALL=1 all are.

A wrong value of a member of a body is made for each branch of the schemas that have the member: one
for each kind and each form of a section, tens of times the same fault. Here each operation, each
member of each body and each kind of fault remains, once.
"""

import os

import schemathesis

sent = set()


@schemathesis.hook
def filter_case(context, case) -> bool:
    meta = case.meta
    if os.environ.get("TEST_ALL") or meta is None or meta.phase.name.name != "COVERAGE":
        return True
    what = meta.phase.data
    # The description names the member and what is wrong with it.
    key = (case.operation.label, meta.generation.mode, what.scenario, what.parameter, what.description)
    is_new = key not in sent
    sent.add(key)
    return is_new
