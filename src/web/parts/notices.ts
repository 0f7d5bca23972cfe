export type NoticeKind = "success" | "info" | "warning" | "error";

/**
 * `site`: bottom right, for as long as it takes to read. `recovery`: there too, up to five at once.
 * `account`: bottom left, five seconds.
 */
export type NoticeArea = "site" | "recovery" | "account";

export type Notice = { kind: NoticeKind; text: string; area: NoticeArea };

const asLongAsItTakesToRead = (text: string) => 3_000 + 25 * text.length;

/** Where each area's toasts stand and how many are seen at once. */
export const noticeAreas = {
  site: { position: "bottom-right", visible: 3, duration: asLongAsItTakesToRead },
  recovery: { position: "bottom-right", visible: 5, duration: asLongAsItTakesToRead },
  account: { position: "bottom-left", visible: 3, duration: () => 5_000 },
} as const satisfies Record<NoticeArea, unknown>;

type Show = (notice: Notice) => void;

const waiting: Notice[] = [];
const callers = new Set<() => void>();
let show: Show | undefined;

/** Shows a toast. The code that draws it comes late: what is said before waits for it. */
export function notify(kind: NoticeKind, text: string, area: NoticeArea = "site") {
  const notice = { kind, text, area };
  if (show) return show(notice);
  waiting.push(notice);
  for (const call of callers) call();
}

/** Calls when a notice waits for somebody to show it. Answers how to stop listening. */
export function whenNoticesWait(call: () => void) {
  callers.add(call);
  if (waiting.length > 0) call();
  return () => void callers.delete(call);
}

/** Hands all notices, those that waited first, to who draws them. Answers how to stop. */
export function deliverNotices(to: Show) {
  show = to;
  for (const notice of waiting.splice(0)) to(notice);
  return () => {
    show = undefined;
  };
}
