import { useEffect } from "react";
import { toast } from "sonner";
import { Toaster } from "../ui/sonner";
import { deliverNotices, type Notice, noticeAreas } from "./notices";

/** Where toasts appear, one place per area. */
export function Toasts() {
  useEffect(() => deliverNotices(show), []);
  const { site, recovery, account } = noticeAreas;
  return (
    <>
      <Toaster id="site" position={site.position} visibleToasts={site.visible} />
      <Toaster
        id="recovery"
        containerAriaLabel="Recovery notifications"
        position={recovery.position}
        visibleToasts={recovery.visible}
      />
      <Toaster
        id="account"
        containerAriaLabel="Account notifications"
        position={account.position}
        visibleToasts={account.visible}
        // 225 ms in, 195 ms out.
        toastOptions={{ className: "duration-[225ms]! data-[removed=true]:duration-[195ms]!" }}
      />
    </>
  );
}

/** Uses the text as the toast's id, so that the same sentence isn't shown twice. */
function show({ kind, text, area }: Notice) {
  toast[kind](text, {
    id: `${area} ${text}`,
    toasterId: area,
    duration: noticeAreas[area].duration(text),
  });
}
