import {
  Ban,
  CircleCheck,
  CircleDashed,
  CirclePause,
  CircleX,
  Hourglass,
  type LucideIcon,
  RotateCcw,
  TestTube,
  TriangleAlert,
} from "lucide-react";
import { Badge, type BadgeVariant } from "../../../ui/badge";
import { inWords } from "./format";

const looks: Readonly<Record<string, readonly [BadgeVariant, LucideIcon]>> = {
  active: ["success", CircleCheck],
  succeeded: ["success", CircleCheck],
  made: ["success", CircleCheck],
  open: ["info", CircleDashed],
  unredeemed: ["info", CircleDashed],
  proposed: ["warning", Hourglass],
  waiting: ["info", Hourglass],
  delivered: ["success", CircleCheck],
  cancelled: ["secondary", CircleX],
  failing: ["warning", TriangleAlert],
  disabled: ["destructive", CircleX],
  current: ["success", CircleCheck],
  older: ["secondary", CircleDashed],
  yanked: ["destructive", CircleX],
  well: ["success", CircleCheck],
  warning: ["warning", TriangleAlert],
  wrong: ["destructive", CircleX],
  unknown: ["secondary", CircleDashed],
  up: ["success", CircleCheck],
  away: ["destructive", CircleX],
  approved: ["info", Hourglass],
  processing: ["warning", Hourglass],
  trialing: ["info", Hourglass],
  ending: ["warning", Hourglass],
  past_due: ["warning", TriangleAlert],
  paused: ["warning", CirclePause],
  ended: ["secondary", CircleX],
  suspended: ["warning", CirclePause],
  disputed: ["dispute", Ban],
  failed: ["destructive", CircleX],
  revoked: ["destructive", CircleX],
  expired: ["secondary", CircleX],
  declined: ["secondary", CircleX],
  refunded: ["secondary", RotateCcw],
  closed: ["secondary", CircleCheck],
  on_sale: ["success", CircleCheck],
  done: ["success", CircleCheck],
  under_way: ["info", Hourglass],
  stopped: ["secondary", CircleX],
  retired: ["secondary", CircleX],
  other_mode: ["secondary", TestTube],
};

/** The state of anything on the desk: icon, word and colour. */
export function Status({ of }: { of: string }) {
  const [variant, Icon] = looks[of] ?? ["secondary", CircleDashed];
  return (
    <Badge variant={variant} data-status={of}>
      <Icon aria-hidden="true" />
      <span>{inWords(of)}</span>
    </Badge>
  );
}
