/** Semver 2.0.0 without a leading v, https://semver.org */
const semver = /^(0|[1-9]\d*)(\.(0|[1-9]\d*)){2}(-[0-9A-Za-z.-]+)?(\+[0-9A-Za-z.-]+)?$/;

export const isVersion = (text: string) => text.length <= 64 && semver.test(text);

/** Negative if `a` is older than `b`. */
export const compareVersions = (a: string, b: string): number => Bun.semver.order(a, b);

/** Text that isn't a version counts as older than any version. */
export const isOlder = (version: string, than: string) =>
  !isVersion(version) || compareVersions(version, than) < 0;
