import { useQuery } from "@tanstack/react-query";
import { Keyboard, type LucideIcon } from "lucide-react";
import { useEffect, useState } from "react";
import { useNavigate } from "react-router";
import { searchQuery } from "../../../api/desk/search";
import { chooseTheme } from "../../../page/theme";
import { themeChoices } from "../../../page/theme-choices";
import {
  Command,
  CommandEmpty,
  CommandGroup,
  CommandInput,
  CommandItem,
  CommandList,
  CommandShortcut,
} from "../../../ui/command";
import { Dialog, DialogContent, DialogDescription, DialogTitle } from "../../../ui/dialog";
import { useMe } from "../parts/me";
import { deskPagesOf } from "../parts/desk-pages";
import { currentCommands } from "./commands";
import { sectionsOf } from "./found";
import { openedLast } from "./opened";
import { maxSearchLength } from "@/contract/vocabulary/bounds";

/** How long typing pauses before the shop is asked. */
const pauseMilliseconds = 200;

/** People, payments, licences and tickets of the whole shop, the commands of the shown page, and what was opened last. */
export function Palette({ onClose, onShortcuts }: { onClose: () => void; onShortcuts: () => void }) {
  const [typed, setTyped] = useState("");
  const q = usePaused(typed.trim());
  const { data, error, isFetching } = useQuery(searchQuery(q));
  const navigate = useNavigate();
  const act = (run: () => void) => () => {
    onClose();
    run();
  };
  const go = (to: string) => act(() => void navigate(to));
  const matches = matcher(typed);
  const found = data && q !== "" ? sectionsOf(data) : [];
  const isWaiting = typed.trim() !== "" && (isFetching || q !== typed.trim());
  return (
    <Dialog open onOpenChange={(open) => open || onClose()}>
      <DialogContent
        closable={false}
        onEscapeKeyDown={onClose}
        onInteractOutside={onClose}
        className="top-[10dvh] max-w-xl translate-y-0 gap-0 overflow-hidden p-0 sm:p-0"
      >
        <DialogTitle className="sr-only">Search</DialogTitle>
        <DialogDescription className="sr-only">
          Names and Discord names, emails and domains, keys or their last group, a card's last four, ids,
          ticket numbers, and commands of this page
        </DialogDescription>
        <Command shouldFilter={false} label="Results" loop>
          <CommandInput
            value={typed}
            onValueChange={setTyped}
            maxLength={maxSearchLength}
            placeholder="Email, key, card, name, ticket or id"
            aria-label="Search"
          />
          <CommandList label="Results">
            {found.map(({ kind, heading, targets }) => (
              <CommandGroup key={kind} heading={heading}>
                {targets.map((target) => (
                  <Item key={target.to} value={target.to} {...target} onSelect={go(target.to)} />
                ))}
              </CommandGroup>
            ))}
            <OwnSections matches={matches} go={go} act={act} onShortcuts={onShortcuts} typed={typed} />
            <CommandEmpty>
              {error
                ? "Nothing to show."
                : isWaiting
                  ? "Searching…"
                  : typed
                    ? "Nothing found."
                    : "Type to search."}
            </CommandEmpty>
          </CommandList>
          {error && (
            <p role="alert" className="border-t px-4 py-3 text-sm text-destructive-text">
              {error.message}
            </p>
          )}
        </Command>
        <output className="sr-only">
          {q !== "" &&
            !isWaiting &&
            !error &&
            `${found.flatMap(({ targets }) => targets).length} found in the shop`}
        </output>
      </DialogContent>
    </Dialog>
  );
}

/** What needs no server: this page's commands, what was opened last, the desk's pages, the themes. */
function OwnSections(props: {
  typed: string;
  matches: (text: string) => boolean;
  go: (to: string) => () => void;
  act: (run: () => void) => () => void;
  onShortcuts: () => void;
}) {
  const { typed, matches, go, act, onShortcuts } = props;
  const commands = currentCommands().filter(({ name, note = "" }) => matches(`${name} ${note}`));
  const opened = openedLast().filter(({ name, kind }) => matches(`${name} ${kind}`));
  const me = useMe();
  const pages = deskPagesOf(me).filter(({ name }) => matches(`${name} go to`));
  const themes = typed === "" ? [] : themeChoices.filter(([, name]) => matches(`${name} theme`));
  return (
    <>
      {commands.length > 0 && (
        <CommandGroup heading="On this page">
          {commands.map(({ name, note = "", icon, run }) => (
            <Item
              key={name}
              value={`command ${name}`}
              name={name}
              note={note}
              icon={icon}
              onSelect={act(run)}
            />
          ))}
        </CommandGroup>
      )}
      {opened.length > 0 && (
        <CommandGroup heading="Recent">
          {opened.map(({ to, name, kind }) => (
            <Item key={to} value={`opened ${to}`} name={name} note={kind} onSelect={go(to)} />
          ))}
        </CommandGroup>
      )}
      {pages.length > 0 && (
        <CommandGroup heading="Go to">
          {pages.map(({ to, name, icon, key }) => (
            <Item key={to} value={`page ${to}`} name={name} note="" icon={icon} onSelect={go(to)}>
              <CommandShortcut>G {key.toUpperCase()}</CommandShortcut>
            </Item>
          ))}
        </CommandGroup>
      )}
      {(themes.length > 0 || matches("Keyboard shortcuts")) && (
        <CommandGroup heading="This browser">
          {themes.map(([theme, name, icon]) => (
            <Item
              key={theme}
              value={`theme ${theme}`}
              name={`${name} theme`}
              note=""
              icon={icon}
              onSelect={act(() => chooseTheme(theme))}
            />
          ))}
          {matches("Keyboard shortcuts") && (
            <Item
              value="shortcuts"
              name="Keyboard shortcuts"
              note=""
              icon={Keyboard}
              onSelect={act(onShortcuts)}
            >
              <CommandShortcut>?</CommandShortcut>
            </Item>
          )}
        </CommandGroup>
      )}
    </>
  );
}

function Item(props: {
  value: string;
  name: string;
  note: string;
  icon?: LucideIcon;
  onSelect: () => void;
  children?: React.ReactNode;
}) {
  const { value, name, note, icon: Icon, onSelect, children } = props;
  return (
    <CommandItem value={value} onSelect={onSelect}>
      {Icon && <Icon aria-hidden="true" />}
      <span className="max-w-[60%] shrink-0 truncate font-medium">{name}</span>
      <span className="min-w-0 flex-1 truncate text-xs text-muted-foreground">{note}</span>
      {children}
    </CommandItem>
  );
}

/** Whether a text has every typed word. */
function matcher(typed: string) {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  return (text: string) => words.every((word) => text.toLowerCase().includes(word));
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
