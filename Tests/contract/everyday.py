"""What of the tool's requests is not sent each day: with TEST_ALL=1 all are.

A wrong value of a member of a body is made for each branch of the schemas that have the member: one
for each kind and each form of a section, tens of times the same fault. Here each operation, each
member of each body and each kind of fault remains, once; and of these a third each day, another one
on each of three days, besides the first of each operation and kind of fault.

CONTRACT_THIRD  which third: 0, 1 or 2
"""

import os
import time
import zlib

import schemathesis

third = int(os.environ.get("CONTRACT_THIRD", time.time() // 86_400 % 3))
sent, kinds = set(), set()
if not os.environ.get("TEST_ALL"):
    print(f"CONTRACT_THIRD={third}")


@schemathesis.hook
def filter_case(context, case) -> bool:
    meta = case.meta
    if os.environ.get("TEST_ALL") or meta is None or meta.phase.name.name != "COVERAGE":
        return True
    what = meta.phase.data
    kind = (case.operation.label, meta.generation.mode.value, f"{what.scenario}")
    # The description names the member and what is wrong with it.
    key = (*kind, what.parameter, what.description)
    has_turn = kind not in kinds or zlib.crc32(repr(key).encode()) % 3 == third
    is_new = key not in sent
    sent.add(key)
    kinds.add(kind)
    return is_new and has_turn
