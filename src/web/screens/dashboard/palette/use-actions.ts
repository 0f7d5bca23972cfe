import { useInfiniteQuery } from "@tanstack/react-query";
import { Copy, Cpu, Keyboard, LifeBuoy, LogOut, type LucideIcon, ShoppingCart } from "lucide-react";
import { useNavigate } from "react-router";
import { brand } from "@/brand/brand";
import type { Me } from "@/contract/wire/accounts";
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
import { isDisputed } from "../../../parts/licence/inactivity";
import { accountStatus } from "../../../parts/licence/account-status";
import { notify } from "../../../page/notices";
import { isRenewable } from "../license/runs";
import type { Target } from "./targets";

/** What the palette can do for this account, the most wanted first. */
export function useActions(user: Me, onShortcuts: () => void): readonly Target[] {
  const { data: licences } = useInfiniteQuery(licencesQuery);
  const token = useCopyToken(user);
  const { mutateAsync: reset } = useResetDevice();
  const navigate = useNavigate();
  const now = useNow();
  const known = { hasUnusedKey: false, disputed: null, subscriptions: [], now };
  const key = licences && accountStatus({ licences, ...known }).key;
  const wait = resetWait(user.last_reset, now);
  const lead = (to: string) => () => void navigate(to);
  return [
    ...(key ? [action("Copy license key", key, Copy, () => void copyKey(key))] : []),
    action("Copy token", "The application asks for it", Copy, token.copy),
    ...(licences && !isDisputed(licences)
      ? [
          action(
            isRenewable(licences) ? "Renew license" : "Buy a license",
            "",
            ShoppingCart,
            lead("/dashboard/license#buy"),
          ),
        ]
      : []),
    hasSeveralSeats(user)
      ? action("Computers", "Rename or remove one", Cpu, lead("/dashboard/settings#devices"))
      : {
          ...action("Reset hardware ID", wait ? `Available in ${wait.left}` : "Once in 30 days", Cpu, () => {
            reset().then(() => toastSuccess(texts.hwidReset), sayResetFailed);
          }),
          locked: wait !== null,
          // without an attached computer there is nothing to lose
          ...(user.hwid_set
            ? { asks: `${brand.shortName} stops working on the computer it's attached to` }
            : {}),
        },
    action("New ticket", "Ask support", LifeBuoy, lead("/dashboard/tickets?new")),
    action("Keyboard shortcuts", "?", Keyboard, onShortcuts),
    action("Sign out", "Logout", LogOut, lead("/logout")),
  ];
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
