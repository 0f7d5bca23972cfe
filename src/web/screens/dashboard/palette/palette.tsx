import { Search, X } from "lucide-react";
import { type KeyboardEvent, useEffect, useId, useRef, useState } from "react";
import { useNavigate } from "react-router";
import type { Me } from "@/contract/wire/accounts";
import { texts } from "@/contract/vocabulary/texts";
import { notify } from "../../../page/notices";
import { Results } from "./results";
import { commandCount, search, type Section, type Target } from "./targets";
import { useActions } from "./use-actions";

type Props = { user: Me; onClose: () => void; onShortcuts: () => void };

/**
 * The command palette: a combobox over every page and command, whose list is navigated with the arrow keys while
 * the cursor stays in the field (https://www.w3.org/WAI/ARIA/apg/patterns/combobox/). The native dialog traps
 * focus, closes on Escape and restores focus.
 */
export function Palette({ user, onClose, onShortcuts }: Props) {
  const actions = useActions(user, onShortcuts);
  const [asked, ask] = useState<Target>();
  const dialog = useRef<HTMLDialogElement>(null);
  const [typed, setTyped] = useState("");
  const [at, setAt] = useState(0);
  const navigate = useNavigate();
  const list = useId();
  useEffect(() => dialog.current?.showModal(), []);

  const sections = asked ? confirmationOf(asked) : search(typed, user, actions);
  const targets = sections.flatMap((section) => section.targets);
  const active = targets.length > 0 ? `${list}-${at}` : undefined;
  useEffect(() => {
    if (active) document.getElementById(active)?.scrollIntoView({ block: "nearest" });
  }, [active]);

  // doesn't wait for the browser's close event: it can come after the next Ctrl+K, which then would close, not open
  const close = () => {
    dialog.current?.close();
    onClose();
  };
  const choose = (target: Target | undefined) => {
    if (!target) return;
    if (target.locked) return notify("info", lockedText(target));
    if (target.asks) {
      setAt(0);
      setTyped("");
      return ask(target);
    }
    // closes first, so that the browser restores focus before navigating
    close();
    if (target.run) target.run();
    else if (target.external) open(target.to, "_blank", "noreferrer");
    else void navigate(target.to);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    const moved = nextAt(event.key, at, targets.length);
    if (moved === undefined && event.key !== "Enter") return;
    event.preventDefault();
    if (moved === undefined) choose(targets[at]);
    else setAt(moved);
  };
  return (
    <dialog
      ref={dialog}
      aria-label={label}
      onClose={onClose}
      onCancel={(event) => {
        event.preventDefault();
        close();
      }}
      closedby="any"
      className="fixed inset-x-3 top-[10dvh] mx-auto my-0 w-auto max-w-xl overflow-hidden rounded-xl border bg-popover p-0 text-popover-foreground shadow-dialog backdrop:bg-scrim backdrop:backdrop-blur-xs open:flex open:flex-col open:animate-in open:fade-in-0 open:zoom-in-97"
    >
      <label className="flex items-center gap-3 border-b px-4 has-focus-visible:border-ring">
        <Search aria-hidden="true" className="size-4 shrink-0 text-muted-foreground" />
        <input
          role="combobox"
          aria-label={label}
          aria-expanded="true"
          aria-autocomplete="list"
          aria-controls={list}
          aria-activedescendant={active}
          autoComplete="off"
          spellCheck={false}
          // oxlint-disable-next-line jsx-a11y/no-autofocus -- the user opened this dialog to type into it
          autoFocus
          placeholder={commandCount > 0 ? `A page, or one of ${commandCount} commands` : "A page"}
          value={typed}
          onChange={(event) => {
            setTyped(event.target.value);
            ask(undefined);
            setAt(0);
          }}
          onKeyDown={onKeyDown}
          className="h-14 w-full min-w-0 bg-transparent text-base outline-none placeholder:text-muted-foreground"
        />
      </label>
      <output className="sr-only">{`${targets.length} ${targets.length === 1 ? "result" : "results"}`}</output>
      <Results id={list} sections={sections} at={at} point={setAt} choose={choose} />
    </dialog>
  );
}

const label = commandCount > 0 ? "Search pages and commands" : "Search pages";

/** Two results that confirm a destructive action: Cancel comes first. */
const confirmationOf = (target: Target): Section[] => {
  const { asks: _asks, ...confirmed } = target;
  const cancel = { ...confirmed, name: "Cancel", note: "", icon: X, run: () => {} };
  return [{ heading: `${target.name}?`, targets: [cancel, { ...confirmed, note: target.asks ?? "" }] }];
};

const lockedText = ({ run, name, note }: Target) => (run ? `${name}: ${note}` : texts.downloadLocked);

/** The index that a key moves to in a list of `count`; undefined for other keys. */
function nextAt(key: string, at: number, count: number): number | undefined {
  if (count === 0) return undefined;
  if (key === "ArrowDown") return (at + 1) % count;
  if (key === "ArrowUp") return (at - 1 + count) % count;
  if (key === "PageDown") return Math.min(at + 5, count - 1);
  return key === "PageUp" ? Math.max(at - 5, 0) : undefined;
}
