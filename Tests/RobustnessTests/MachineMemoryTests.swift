import TestSupport
import Testing

@testable import layoutd

@Suite("The memory there is")
struct MachineMemoryTests {
  @Test("control groups limit it, one's own and those above, in both versions")
  func controlGroups() {
    let files = [
      "/sys/fs/cgroup/a/b/memory.max": "max\n", "/sys/fs/cgroup/a/memory.max": "300\n",
      "/sys/fs/cgroup/memory.max": "900\n",
      "/sys/fs/cgroup/memory/c/memory.limit_in_bytes": "500\n",
    ]
    let groups = "3:cpu,memory:/c\n2:cpuset:/a\n0::/a/b\n"
    let limits = MachineMemory.limits(ofGroups: groups) { files[$0] }
    same(limits, [500, 300, 900])
    same(MachineMemory.limits(ofGroups: "broken") { _ in "7" }, [])
    #expect(MachineMemory.limit > 0)
  }
}
