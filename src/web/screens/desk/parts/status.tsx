import {
  CircleCheck,
  CircleDashed,
  CirclePause,
  type LucideIcon,
  RotateCcw,
  TestTube,
  TriangleAlert,
} from "lucide-react";
import type { StateWords } from "@/contract/vocabulary/state-words";
import { StateBadge } from "../../../parts/state-badge";

/** Icons of states that don't use their tone's. */
const icons: Readonly<Record<string, LucideIcon | undefined>> = {
  open: CircleDashed,
  unredeemed: CircleDashed,
  older: CircleDashed,
  unknown: CircleDashed,
  other_currency: CircleDashed,
  newer_release: CircleDashed,
  failing: TriangleAlert,
  warning: TriangleAlert,
  past_due: TriangleAlert,
  paused: CirclePause,
  suspended: CirclePause,
  refunded: RotateCcw,
  closed: CircleCheck,
  other_mode: TestTube,
};

/** The state of anything on the desk: icon, word and colour. */
export const Status = <State extends string>(props: { of: State; words: Record<State, StateWords> }) => (
  <StateBadge of={props.words[props.of]} icon={icons[props.of]} name={props.of} />
);

/** The column of each row's state. */
export const stateColumn = <Id extends "state" | "status", State extends string>(
  id: Id,
  words: Record<State, StateWords>,
  width = "8.5rem",
) => ({
  id,
  name: id === "state" ? "State" : "Status",
  cell: (row: Readonly<Record<Id, State>>) => <Status of={row[id]} words={words} />,
  width,
  phone: "state" as const,
});
