import { useInfiniteQuery } from "@tanstack/react-query";
import { Copy, Cpu, Gift, Keyboard, LifeBuoy, LogOut, type LucideIcon, ShoppingCart } from "lucide-react";
import { useNavigate } from "react-router";
import { brand } from "@/brand/brand";
import { token as brandToken } from "@/brand/token";
import type { Me } from "@/contract/wire/accounts";
import type { Licence } from "@/contract/wire/licences";
import { texts } from "@/contract/vocabulary/texts";
import { useResetDevice } from "../../../api/account";
import { licencesQuery } from "../../../api/licences";
import { useNow } from "../../../hooks/use-now";
import { resetWait } from "../../../parts/account/device-cooldown";
import { sayResetFailed } from "../../../parts/devices/device-panel";
import { toastSuccess } from "../../../parts/account/toasts";
import { useCopyToken } from "../../../parts/account/use-copy-token";
import { hasSeveralSeats } from "../../../parts/devices/seats";
import { copyText } from "../../../parts/clipboard";
import { isDisputed } from "../../../parts/licence/inactive-words";
import { notify } from "../../../page/notices";
import type { Target } from "./targets";

/** What the palette can do for this account, the most wanted first. */
export function useActions(user: Me, onShortcuts: () => void): readonly Target[] {
  const { data: licences } = useInfiniteQuery(licencesQuery);
  const token = useCopyToken(user);
  const { mutateAsync: reset } = useResetDevice();
  const navigate = useNavigate();
  const now = useNow();
  const key = licences?.find(({ status }) => status === "active")?.key;
  const wait = resetWait(user.last_reset, now);
  const lead = (to: string) => () => void navigate(to);
  return [
    ...(key ? [action("Copy license key", key, Copy, () => void copyKey(key))] : []),
    ...(brandToken ? [action("Copy token", brandToken.step, Copy, token.copy)] : []),
    ...(licences && !isDisputed(licences) ? [buying(licences, lead)] : []),
    hasSeveralSeats(user)
      ? action("Computers", "Rename or remove one", Cpu, lead("/dashboard/settings#devices"))
      : {
          ...action(
            "Reset hardware ID",
            wait ? `Available in ${wait.left}` : "Once every 30 days",
            Cpu,
            () => {
              reset().then(() => toastSuccess(texts.hwidReset), sayResetFailed);
            },
          ),
          locked: wait !== null,
          // without an attached computer there is nothing to lose
          ...(user.hwid_set
            ? { asks: `${brand.shortName} stops working on the computer it's attached to` }
            : {}),
        },
    action("New ticket", "Ask support", LifeBuoy, lead("/dashboard/tickets?new")),
    action("Keyboard shortcuts", "?", Keyboard, onShortcuts),
    action("Logout", "Sign out", LogOut, lead("/logout")),
  ];
}

function buying(licences: readonly Licence[], lead: (to: string) => () => void): Target {
  const forLife = licences.some(({ status, expiry_date }) => status === "active" && expiry_date === null);
  if (forLife) return action(`Send ${brand.shortName} as a gift`, "", Gift, lead("/?gift"));
  const name = licences.length > 0 ? "Renew license" : "Buy a license";
  return action(name, "", ShoppingCart, lead("/dashboard/license#buy"));
}

const action = (name: string, note: string, icon: LucideIcon, run: () => void): Target => ({
  name,
  note,
  icon,
  to: "",
  external: false,
  locked: false,
  run,
});

async function copyKey(key: string) {
  if (await copyText(key)) notify("success", "Copied license key to clipboard");
  else notify("error", "There was an error copying the license key to clipboard");
}
