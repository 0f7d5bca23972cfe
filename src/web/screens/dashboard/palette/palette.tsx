import { ArrowUpRight, Lock, X } from "lucide-react";
import { useState } from "react";
import { useNavigate } from "react-router";
import type { Me } from "@/contract/wire/accounts";
import { texts } from "@/contract/vocabulary/texts";
import { notify } from "../../../page/notices";
import { PaletteFrame, PaletteItem } from "../../../parts/palette";
import { CommandGroup } from "../../../ui/command";
import { commandCount, search, type Section, type Target } from "./targets";
import { useActions } from "./use-actions";

type Props = { user: Me; onClose: () => void; onShortcuts: () => void };

/** The dashboard's pages, what can be done there, and the application's commands. */
export function Palette({ user, onClose, onShortcuts }: Props) {
  const actions = useActions(user, onShortcuts);
  const [asked, ask] = useState<Target>();
  const [typed, setTyped] = useState("");
  const navigate = useNavigate();
  const sections = asked ? confirmationOf(asked) : search(typed, user, actions);
  const count = sections.flatMap(({ targets }) => targets).length;
  const choose = (target: Target) => {
    if (target.locked) return notify("info", lockedText(target));
    if (target.asks) {
      setTyped("");
      return ask(target);
    }
    onClose();
    if (target.run) target.run();
    else if (target.external) open(target.to, "_blank", "noreferrer");
    else void navigate(target.to);
  };
  return (
    <PaletteFrame
      title="Search pages and commands"
      description="Pages, actions, and commands of the application"
      field={{
        value: typed,
        placeholder: `A page, or one of ${commandCount} commands`,
        onValueChange: (text) => {
          setTyped(text);
          ask(undefined);
        },
      }}
      empty="No results found."
      found={`${count} ${count === 1 ? "result" : "results"}`}
      onClose={onClose}
    >
      {sections.map(({ heading, targets }) => (
        <CommandGroup key={heading} heading={heading}>
          {targets.map((target) => (
            <PaletteItem
              key={target.to || target.name}
              value={`${heading} ${target.to || target.name}`}
              name={target.name}
              note={target.locked && !target.run ? texts.downloadLocked : target.note}
              icon={target.locked ? Lock : target.icon}
              onSelect={() => choose(target)}
              className={target.locked ? "cursor-not-allowed" : ""}
            >
              {target.external && (
                <>
                  <ArrowUpRight aria-hidden="true" />
                  <span className="sr-only">(opens in a new tab)</span>
                </>
              )}
            </PaletteItem>
          ))}
        </CommandGroup>
      ))}
    </PaletteFrame>
  );
}

/** Two results that confirm a destructive action: Cancel comes first. */
const confirmationOf = (target: Target): Section[] => {
  const { asks: _asks, ...confirmed } = target;
  const cancel = { ...confirmed, name: "Cancel", note: "", icon: X, run: () => {} };
  return [{ heading: `${target.name}?`, targets: [cancel, { ...confirmed, note: target.asks ?? "" }] }];
};

const lockedText = ({ run, name, note }: Target) => (run ? `${name}: ${note}` : texts.downloadLocked);
