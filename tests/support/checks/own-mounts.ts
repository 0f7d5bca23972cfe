/** Runs a script with mounts of its own, unprivileged where that is allowed. */
export const withOwnMounts = "unshare --map-root-user --mount bash -ec".split(" ");

export const mayMount =
  Bun.which("unshare") !== null && Bun.spawnSync([...withOwnMounts, "mount -t tmpfs latchkey /tmp"]).success;
