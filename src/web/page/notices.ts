export type NoticeKind = "success" | "info" | "warning" | "error";

/**
 * `site`: bottom right, for as long as it takes to read. `recovery`: the same, up to five at once. `account`: bottom
 * left, five seconds. On phones, all are at the top.
 */
export type NoticeArea = "site" | "recovery" | "account";

export type Notice = { kind: NoticeKind; text: string; area: NoticeArea };

const asLongAsItTakesToRead = (text: string) => 3_000 + 25 * text.length;

/** Each area's position and how many toasts it shows at once. */
export const noticeAreas = {
  site: { position: "bottom-right", visible: 3, duration: asLongAsItTakesToRead },
  recovery: { position: "bottom-right", visible: 5, duration: asLongAsItTakesToRead },
  account: { position: "bottom-left", visible: 3, duration: () => 5_000 },
} as const satisfies Record<NoticeArea, unknown>;

type Show = (notice: Notice) => void;

const waiting: Notice[] = [];
const callers = new Set<() => void>();
let show: Show | undefined;

/** Shows a toast. The toaster loads late; earlier notices wait for it. */
export function notify(kind: NoticeKind, text: string, area: NoticeArea = "site") {
  const notice = { kind, text, area };
  if (show) return show(notice);
  waiting.push(notice);
  for (const call of callers) call();
}

/** Calls back when a notice is waiting. Returns a function that stops listening. */
export function whenNoticesWait(call: () => void) {
  callers.add(call);
  if (waiting.length > 0) call();
  return () => void callers.delete(call);
}

/** Passes every notice to `show`, waiting ones first. Returns a function that stops. */
export function deliverNotices(to: Show) {
  show = to;
  for (const notice of waiting.splice(0)) to(notice);
  return () => {
    show = undefined;
  };
}
