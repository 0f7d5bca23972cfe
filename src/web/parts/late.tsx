import { type ComponentType, lazy, useEffect, useState } from "react";
import { useHydrated } from "../hooks/use-hydrated";
import { type LoadFailure, loadFailureOf } from "../page/load-failure";
import { LostBar, LostPage, LostPart, type LostProps } from "./lost";

/** A screen, or a part of one, whose code loads when it is first shown, or earlier by `load`. */
export type LateScreen<Props = object> = ComponentType<Props> & { load: () => Promise<unknown> };

type Options = {
  /** Shown in the part's place while its code can't be loaded. */
  instead?: ComponentType<LostProps>;
  /**
   * Names the part in prerendered pages, whose markup stays readable until the code arrives. Without a name, shows
   * only a skeleton.
   */
  sent?: string;
};

/** After this long, says that a script has not loaded; still shows the part if it does later. */
const timeoutMilliseconds = 20_000;

/** Makes a late screen of a named export: `late(async () => (await import("./login")).Login)`. */
export function late<Props extends object = object>(
  importPart: () => Promise<ComponentType<Props>>,
  { instead: Instead = LostPart, sent }: Options = {},
): LateScreen<Props> {
  const attempt = async (): Promise<{ part: ComponentType<Props> } | { loss: LoadFailure }> => {
    try {
      return { part: await inTime(importPart()) };
    } catch (error) {
      if (typeof document === "undefined") throw error;
      return { loss: await loadFailureOf() };
    }
  };
  const marked = (Part: ComponentType<Props>) =>
    sent === undefined
      ? Part
      : (props: Props) => (
          <div className="contents" data-sent={sent}>
            <Part {...props} />
          </div>
        );

  /** Whether only a message is in its place, so that reloading the page loses nothing that a visitor typed. */
  const standsAlone = Instead === LostPart || Instead === LostPage;

  /** Never rejects, because an error would unmount the rest of the page */
  const part = lazy(async () => {
    const outcome = await attempt();
    return { default: "part" in outcome ? marked(outcome.part) : missing(outcome.loss) };
  });

  const missing = (first: LoadFailure) =>
    function Missing(props: Props) {
      const [found, find] = useState<{ Part: ComponentType<Props> }>();
      const [loss, lose] = useState(first);
      const [trying, setTrying] = useState(false);
      const [markup] = useState(() => sent && document.querySelector(`[data-sent="${sent}"]`)?.innerHTML);
      const hydrated = useHydrated();
      const seek = async ({ asked = false, reload = false } = {}) => {
        setTrying(asked);
        const outcome = await attempt();
        if ("part" in outcome) return find({ Part: marked(outcome.part) });
        // browsers remember some scripts' failure for as long as the page lives
        if (reload && outcome.loss === "lost") return location.reload();
        lose(outcome.loss);
        setTrying(false);
      };
      useEffect(() => {
        void seek();
        const onOnline = () => void seek({ reload: standsAlone && !markup });
        addEventListener("online", onOnline);
        return () => removeEventListener("online", onOnline);
        // oxlint-disable-next-line react/exhaustive-deps -- once
      }, []);
      if (found) return <found.Part {...props} />;
      const lost = { loss, trying, onRetry: () => void seek({ asked: true, reload: true }) };
      if (!markup) return <Instead {...lost} />;
      return (
        <>
          {/* Our own page's markup, which the browser has already rendered. */}
          <div className="contents" data-sent={sent} dangerouslySetInnerHTML={{ __html: markup }} />
          {hydrated && <LostBar {...lost} />}
        </>
      );
    };

  return Object.assign(part, { load: importPart });
}

function inTime<Value>(promise: Promise<Value>): Promise<Value> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(reject, timeoutMilliseconds);
    promise.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
