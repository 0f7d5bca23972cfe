import { X } from "lucide-react";
import type { RefObject } from "react";
import { Link } from "react-router";
import { brand } from "@/brand/brand";
import { landing } from "@/brand/landing";
import { isWithout } from "../page/without";

const { features, why, gallery, get } = landing;

/** The sections of the landing page, by URLs that work from any page. */
export const sections = Object.entries({ features, "why-us": why, gallery, get }).flatMap(([id, section]) =>
  section ? [[`/#${id}`, section.title] as const] : [],
);

/**
 * The navigation bar's links on a narrow screen. A native dialog, where the browser handles focus and Escape, because
 * Radix's would exceed the landing page's script budget.
 */
export function NavigationSheet({ ref }: { ref: RefObject<HTMLDialogElement | null> }) {
  const close = () => ref.current?.close();
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions, jsx-a11y/click-events-have-key-events -- Escape is the keyboard equivalent of clicking outside the sheet
    <dialog
      ref={ref}
      aria-label="Menu"
      onClick={(event) => event.target === event.currentTarget && close()}
      className="navigation-sheet"
    >
      <div className="flex h-full flex-col p-4">
        <button
          type="button"
          aria-label="Close menu"
          onClick={close}
          className="ml-auto grid size-11 place-items-center rounded-full hover:bg-veil/8"
        >
          <X aria-hidden="true" className="size-5.5" />
        </button>
        <ul className="mt-4 flex flex-col">
          {sections.map(([to, name]) => (
            <li key={to}>
              <Link to={to} onClick={close} className={link}>
                {name}
              </Link>
            </li>
          ))}
          {!isWithout("commands") && (
            <li data-needs="commands">
              <Link to="/commands" onClick={close} className={link}>
                Commands
              </Link>
            </li>
          )}
          {brand.links.community && !isWithout("discord") && (
            <li data-needs="discord">
              <a href="/discord" className={link}>
                Discord
              </a>
            </li>
          )}
        </ul>
      </div>
    </dialog>
  );
}

const link = "flex min-h-13 items-center border-b px-3 text-lg font-medium";
