import { visitorMark } from "@/contract/visitor";

/**
 * Whether the server saw no session cookie when it served this page: nobody is signed in then, so there is no
 * need to ask. False if the browser doesn't expose it, and in development.
 */
export function cameAsVisitor() {
  const [navigation] = performance.getEntriesByType("navigation");
  if (!navigation || !("serverTiming" in navigation) || !Array.isArray(navigation.serverTiming)) return false;
  const marks: readonly { name: string }[] = navigation.serverTiming;
  return marks.some(({ name }) => name === visitorMark);
}
