import { useQuery } from "@tanstack/react-query";
import { Archive, Layers, Pencil } from "lucide-react";
import { featureLabel } from "@/brand/feature-label";
import { addLevel, changeLevel, listLevels, retireLevel } from "@/contract/operations/levels";
import { heldText, holdersText, roleEffectText } from "@/contract/vocabulary/level-words";
import type { LevelEffect, LevelRow } from "@/contract/wire/desk/levels";
import { itemQuery } from "../../../api/desk/collections";
import { Collection, type CollectionDefinition } from "../collection/collection";
import { deskOperation, type FieldTexts, type Operation } from "../operation/operation";
import { counted } from "../parts/format";
import { Status } from "../parts/status";
import { levelWords } from "../parts/words";

const levels: CollectionDefinition<LevelRow> = {
  title: "Levels",
  lead: "What licenses differ by besides time, the lowest first. An offer sells one level.",
  list: listLevels,
  icon: Layers,
  columns: [
    { id: "name", name: "Name", cell: ({ name }) => name, leads: true, width: "minmax(0,1.2fr)" },
    { id: "id", name: "Id", cell: ({ id }) => <code className="font-mono text-xs">{id}</code> },
    { id: "contains", name: "Includes", cell: ({ contains }) => contains.join(", ") || "–", whole: true },
    {
      id: "features",
      name: "Features",
      cell: ({ features }) => features.map(featureLabel).join(", ") || "–",
      width: "minmax(0,1.4fr)",
      whole: true,
    },
    { id: "role", name: "Discord role", cell: ({ role }) => role ?? "–", width: "11rem" },
    {
      id: "accounts",
      name: "Held by",
      cell: ({ accounts }) => holdersText(accounts, "account"),
      width: "8rem",
    },
    {
      id: "state",
      name: "State",
      cell: (level) => <Status of={stateOf(level)} words={levelWords} />,
      width: "8.5rem",
      phone: "state",
    },
  ],
  nameOf: ({ name }) => name,
  empty: "No levels yet.",
};

const stateOf = ({ from_order, retired_at }: LevelRow) =>
  from_order ? "from_order" : retired_at ? "retired" : "active";

/** The levels, and what owners do with them. */
export const Levels = () => <Collection of={levels} make={[add]} operationsOf={operationsOf} />;

const add: Operation = deskOperation(addLevel, {
  name: "New level",
  icon: Layers,
  consequence: ({ name }) =>
    `Adds the level ${name || "…"}, which offers can sell from then on. Until one does, nothing changes for anyone.`,
  preview: (typed) => <Effect typed={typed} />,
  fields: {
    place: { hint: "1 is the lowest. Leave empty to put it above all others." },
    includes_before: { initial: "on" },
    preview: null,
  },
  done: () => "Level added",
});

function operationsOf(level: LevelRow): Operation[] {
  const { id, name, place, includes_before, features, role, offers, accounts, retired_at } = level;
  const change = deskOperation(changeLevel, {
    id,
    name: "Change",
    icon: Pencil,
    consequence: ({ includes_before: typed }) =>
      `Changes ${name} for everyone who has it, from the shop's next answer on. Tokens and files that were given out keep what they carry until they end.${typed && !includes_before ? " Subscriptions to what it includes then don't renew beside a lifetime of it." : ""}`,
    preview: (typed) => <Effect typed={typed} of={level} />,
    fields: {
      name: { initial: name, optional: false },
      place: { initial: String(place), optional: false },
      includes_before: { initial: includes_before ? "on" : "" },
      features: { initial: features.join(", ") },
      role: { initial: role ?? "" },
      again: retired_at === null ? null : {},
      preview: null,
    },
    done: () => `${name} changed`,
  });
  const retire = deskOperation(retireLevel, {
    id,
    name: "Retire",
    icon: Archive,
    grave: true,
    consequence: () =>
      `Takes ${name} and ${counted(offers, "offer")} that ${offers === 1 ? "sells" : "sell"} it off sale. ${holdersText(accounts, "account")} that ${accounts === 1 ? "has" : "have"} it keep it, with its features and its role.`,
    fields: { preview: null },
    done: () => `${name} is no longer sold`,
  });
  return retired_at === null ? [change, retire] : [change];
}

/** Whom a change concerns; of a role that was typed, whose it is now and who would lose it. */
function Effect({ typed, of }: { typed: FieldTexts; of?: LevelRow }) {
  const role = typed["role"] ?? "";
  const isAsked = changeLevel.fields.role.pattern.test(role) && role !== of?.role;
  const sent = { id: of?.id ?? (typed["id"] || "new"), role, preview: true };
  const { data, error } = useQuery({ ...itemQuery(changeLevel, sent), enabled: isAsked });
  const effect = data as LevelEffect | undefined;
  return (
    <div className="flex flex-col gap-1 text-sm wrap-anywhere">
      {of && <p>{heldText(of)}</p>}
      {isAsked ? (
        <output>
          {error ? error.message : effect?.role ? roleEffectText(effect.role) : "Asking Discord…"}
        </output>
      ) : (
        !of && <p>No license has this level yet.</p>
      )}
    </div>
  );
}
