import { visitorMark } from "@/contract/vocabulary/page-marks";

/**
 * Whether the server saw no session cookie when it served this page: then nobody is signed in, and asking is needless.
 * False in development, and in browsers that don't expose server timings.
 */
export function cameAsVisitor() {
  const [navigation] = performance.getEntriesByType("navigation");
  if (!navigation || !("serverTiming" in navigation) || !Array.isArray(navigation.serverTiming)) return false;
  const marks: readonly { name: string }[] = navigation.serverTiming;
  return marks.some(({ name }) => name === visitorMark);
}
