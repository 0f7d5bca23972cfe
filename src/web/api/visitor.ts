import { visitorMark } from "@/contract/visitor";

/**
 * Whether the server saw that this page was asked for without a session: nobody is signed in then, and
 * there is no need to ask. False where the browser doesn't tell, and in development.
 */
export function cameAsVisitor() {
  const [navigation] = performance.getEntriesByType("navigation");
  if (!navigation || !("serverTiming" in navigation) || !Array.isArray(navigation.serverTiming)) return false;
  const marks: readonly { name: string }[] = navigation.serverTiming;
  return marks.some(({ name }) => name === visitorMark);
}
