import { useQuery } from "@tanstack/react-query";
import { Keyboard, type LucideIcon } from "lucide-react";
import { useEffect, useState } from "react";
import { useNavigate } from "react-router";
import { searchQuery } from "../../../api/desk/search";
import { chooseTheme } from "../../../page/theme";
import { themeChoices } from "../../../page/theme-choices";
import { PaletteFrame, PaletteItem } from "../../../parts/palette";
import { CommandGroup, CommandShortcut } from "../../../ui/command";
import type { PaletteRequest } from "../parts/palette-requests";
import { spaced } from "../parts/format";
import { useMe } from "../parts/me";
import { placesOf } from "../parts/places";
import { currentCommands } from "./commands";
import { sectionsOf } from "./found";
import { openedLast } from "./opened";
import { mostSearched } from "@/contract/vocabulary/bounds";

/** How long typing pauses before the shop is asked. */
const pauseMilliseconds = 200;

/** People, payments, licences and tickets of the whole shop, the commands of the shown page, and what was opened last. */
export function Palette(props: { request: PaletteRequest; onClose: () => void; onShortcuts: () => void }) {
  const { request, onClose, onShortcuts } = props;
  const { only } = request;
  const [typed, setTyped] = useState("");
  const q = usePaused(typed.trim());
  const { data, error, isFetching } = useQuery(searchQuery(q));
  const navigate = useNavigate();
  const act = (run: () => void) => () => {
    onClose();
    run();
  };
  const go = (to: string) => act(() => void navigate(to));
  const own = useOwnSections(typed, { act, go, onShortcuts });
  const found = data && q !== "" ? sectionsOf(data, only) : [];
  const sections: { heading: string; items: Item[] }[] = [
    ...found.map(({ heading, targets }) => ({
      heading,
      items: targets.map((target) => ({ ...target, value: target.to, onSelect: go(target.to) })),
    })),
    ...(only ? [] : own),
  ];
  const isWaiting = typed.trim() !== "" && (isFetching || q !== typed.trim());
  return (
    <PaletteFrame
      title="Search"
      description="Names, emails, keys, ids, ticket numbers, and commands of this page"
      field={{
        value: typed,
        onValueChange: setTyped,
        maxLength: mostSearched,
        placeholder: only
          ? `Find in ${spaced(only).toLowerCase()}`
          : "A name, email, key, id, ticket or command",
      }}
      empty={
        error ? "Nothing to show." : isWaiting ? "Searching…" : typed ? "Nothing found." : "Type to search."
      }
      problem={error?.message}
      found={
        q !== "" &&
        !isWaiting &&
        !error &&
        `${found.flatMap(({ targets }) => targets).length} found in the shop`
      }
      onClose={onClose}
    >
      {sections.map(({ heading, items }) => (
        <CommandGroup key={heading} heading={heading}>
          {items.map(({ keys, also: _also, ...item }) => (
            <PaletteItem key={item.value} {...item}>
              {keys && <CommandShortcut>{keys}</CommandShortcut>}
            </PaletteItem>
          ))}
        </CommandGroup>
      ))}
    </PaletteFrame>
  );
}

type Does = {
  act: (run: () => void) => () => void;
  go: (to: string) => () => void;
  onShortcuts: () => void;
};

/** `also`: further words that it is found by. */
type Item = {
  value: string;
  name: string;
  note: string;
  icon?: LucideIcon;
  keys?: string;
  also?: string;
  onSelect: () => void;
};

/** What needs no server: this page's commands, what was opened last, the desk's pages and, once asked for, the themes. */
function useOwnSections(typed: string, does: Does): { heading: string; items: Item[] }[] {
  const { act, go, onShortcuts } = does;
  const me = useMe();
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  const matches = ({ name, note, also = "" }: Item) =>
    words.every((word) => `${name} ${note} ${also}`.toLowerCase().includes(word));
  const commands = currentCommands().map(({ name, note = "", icon, run }) => {
    return { value: `command ${name}`, name, note, icon, onSelect: act(run) };
  });
  const opened = openedLast().map(({ to, name, kind }) => {
    return { value: `opened ${to}`, name, note: kind, onSelect: go(to) };
  });
  const pages = placesOf(me).map(({ to, name, icon, key }) => {
    const keys = `G ${key.toUpperCase()}`;
    return { value: `page ${to}`, name, note: "", icon, keys, also: "go to", onSelect: go(to) };
  });
  const themes = themeChoices.map(([theme, name, icon]) => {
    const onSelect = act(() => chooseTheme(theme));
    return { value: `theme ${theme}`, name: `${name} theme`, note: "", icon, onSelect };
  });
  const shortcuts = { name: "Keyboard shortcuts", note: "", icon: Keyboard, keys: "?" };
  const browser = [
    ...(typed === "" ? [] : themes),
    { ...shortcuts, value: "shortcuts", onSelect: act(onShortcuts) },
  ];
  const sections: [heading: string, items: Item[]][] = [
    ["On this page", commands],
    ["Opened last", opened],
    ["Go to", pages],
    ["This browser", browser],
  ];
  return sections
    .map(([heading, items]) => ({ heading, items: items.filter(matches) }))
    .filter(({ items }) => items.length > 0);
}

/** A text once it has not changed for a moment. */
function usePaused(text: string) {
  const [paused, pause] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => pause(text), pauseMilliseconds);
    return () => clearTimeout(timer);
  }, [text]);
  return paused;
}
