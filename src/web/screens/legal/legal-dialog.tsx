import { X } from "lucide-react";
import { useEffectEvent, useLayoutEffect, useRef } from "react";
import { useLocation, useNavigate } from "react-router";
import { privacy, refunds, terms } from "@/brand/legal";
import type { Inline, LegalBlock, LegalDocument } from "@/brand/legal/document";
import { type LegalName, legalNameOf } from "../../page/legal-name";

const documents = { terms, privacy, refunds } satisfies Record<LegalName, LegalDocument>;

/**
 * A legal text over the landing page. The close icon, Confirm, Escape, a click outside and Back close it. The
 * buttons work even before scripts run, because they are in a `method=dialog` form.
 */
export function LegalDialog() {
  const { pathname } = useLocation();
  const { title, updated, summary, sections } = documents[legalNameOf(pathname) ?? "terms"];
  const dialog = useModal(useLeave());
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions, jsx-a11y/click-events-have-key-events -- Escape is the keyboard equivalent of clicking outside the dialog
    <dialog
      ref={dialog}
      open
      aria-labelledby="legal-title"
      onClick={(event) => event.target === event.currentTarget && event.currentTarget.close()}
      className="legal-dialog"
    >
      <form method="dialog" className="flex max-h-full flex-col short:block short:overflow-y-auto">
        <header className="flex items-start justify-between gap-6 border-b px-6 py-5 md:px-9">
          <div>
            <h2 id="legal-title" className="text-xl font-semibold tracking-tight md:text-2xl">
              {title}
            </h2>
            <p className="mt-1 text-sm text-muted-foreground">Updated {updated}</p>
          </div>
          <button
            type="submit"
            aria-label="Close"
            className="-mr-2 grid size-11 shrink-0 place-items-center rounded-full text-muted-foreground hover:bg-veil/8 hover:text-foreground"
          >
            <X aria-hidden="true" className="size-5" />
          </button>
        </header>
        <section
          // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrolling area must be reachable by keyboard
          tabIndex={0}
          aria-labelledby="legal-title"
          className="min-h-0 overflow-y-auto overscroll-contain short:overflow-visible px-6 py-6 outline-offset-[-2px] md:px-9"
        >
          <p className="rounded-xl bg-primary/10 px-5 py-4 font-medium">{summary}</p>
          {sections.map(({ heading, blocks }) => (
            <section key={heading} className="mt-8">
              {heading !== "" && <h3 className="font-semibold">{heading}</h3>}
              {blocks.map((block) => (
                <Block key={JSON.stringify(block)} block={block} />
              ))}
            </section>
          ))}
        </section>
        <footer className="flex justify-end border-t px-6 py-4 md:px-9">
          <button type="submit" className="button-light h-11 px-7">
            Confirm
          </button>
        </footer>
      </form>
    </dialog>
  );
}

function Block({ block }: { block: LegalBlock }) {
  if ("subheading" in block) return <h4 className="mt-5 font-medium">{block.subheading}</h4>;
  if ("text" in block)
    return (
      <p className="mt-2.5 leading-relaxed text-soft">
        <Line of={block.text} />
      </p>
    );
  const List = block.numbered ? "ol" : "ul";
  return (
    <List
      className={`mt-2.5 ${block.numbered ? "list-decimal" : "list-disc"} space-y-1.5 pl-5 leading-relaxed text-soft marker:text-link`}
    >
      {block.points.map((point) => (
        <li key={JSON.stringify(point)}>
          <Line of={point} />
        </li>
      ))}
    </List>
  );
}

function Line({ of }: { of: readonly Inline[] }) {
  return of.map((piece, at) => {
    const key = `${at}`;
    if (typeof piece === "string") return of.length === 1 ? piece : <span key={key}>{piece}</span>;
    if ("em" in piece) return <em key={key}>{piece.em}</em>;
    if ("strong" in piece) return <strong key={key}>{piece.strong}</strong>;
    return (
      <a key={key} href={piece.link} className="text-link underline underline-offset-4">
        {piece.text}
      </a>
    );
  });
}

/**
 * Makes the prerendered open dialog modal, and restores focus when it closes. If the visitor closed it before scripts
 * ran, leaves the page at once.
 */
function useModal(leave: () => void) {
  const ref = useRef<HTMLDialogElement>(null);
  const shown = useRef(false);
  const onClose = useEffectEvent(leave);
  useLayoutEffect(() => {
    const dialog = ref.current;
    if (!dialog) return undefined;
    const closed = () => onClose();
    if (!dialog.open && !shown.current) {
      closed();
      return undefined;
    }
    shown.current = true;
    // not by close(), which would fire the close event
    dialog.removeAttribute("open");
    dialog.showModal();
    dialog.addEventListener("close", closed);
    return () => {
      dialog.removeEventListener("close", closed);
      // while it is still in the page, or the browser would not restore focus
      dialog.close();
    };
  }, []);
  return ref;
}

/** Goes back to the page that opened the dialog, or to the landing page for visitors from another site. */
function useLeave() {
  const navigate = useNavigate();
  const { state } = useLocation();
  const fromSite = typeof state === "object" && state !== null && "fromSite" in state;
  return () => void (fromSite ? navigate(-1) : navigate("/", { preventScrollReset: true }));
}
