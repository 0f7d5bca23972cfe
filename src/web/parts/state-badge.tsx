import { Ban, CircleCheck, CircleX, Hourglass, type LucideIcon } from "lucide-react";
import type { StateWords, Tone } from "@/contract/vocabulary/state-words";
import { Badge } from "../ui/badge";

const icons: Record<Tone, LucideIcon> = {
  good: CircleCheck,
  info: Hourglass,
  warning: Hourglass,
  bad: CircleX,
  disputed: Ban,
  neutral: CircleX,
};

type Props = { of: StateWords; icon?: LucideIcon | undefined; name?: string };

/** A state: icon, word and colour. `icon`: by default its tone's. */
export function StateBadge({ of: { word, tone }, icon: Icon = icons[tone], name }: Props) {
  return (
    <Badge tone={tone} data-status={name}>
      <Icon aria-hidden="true" />
      <span>{word}</span>
    </Badge>
  );
}
