import { useEffect } from "react";
import { toast } from "sonner";
import { useMedia } from "../hooks/use-media";
import { Toaster } from "../ui/sonner";
import { KeptPlaces } from "./kept-places";
import { deliverNotices, type Notice, noticeAreas } from "../page/notices";

/** Where toasts appear, one place per area. */
export function Toasts() {
  useEffect(() => deliverNotices(show), []);
  const { site, recovery, account } = noticeAreas;
  // at the lower edge of a phone are the buttons
  const isWide = useMedia("(min-width: 640px)");
  const placed = <Place extends string>(place: Place) => (isWide ? place : "top-center");
  return (
    <>
      {/* comes with them, since no first paint needs it either */}
      <KeptPlaces />
      <Toaster id="site" position={placed(site.position)} visibleToasts={site.visible} />
      <Toaster
        id="recovery"
        containerAriaLabel="Recovery notifications"
        position={placed(recovery.position)}
        visibleToasts={recovery.visible}
      />
      <Toaster
        id="account"
        containerAriaLabel="Account notifications"
        position={placed(account.position)}
        visibleToasts={account.visible}
        // 225 ms in, 195 ms out.
        toastOptions={{ className: "duration-[225ms]! data-[removed=true]:duration-[195ms]!" }}
      />
    </>
  );
}

/** Uses the text as the toast's id, so that the same sentence isn't shown twice. A success ends the errors before it. */
function show({ kind, text, area }: Notice) {
  if (kind === "success") {
    for (const one of toast.getToasts())
      if ("type" in one && one.type === "error" && one.toasterId === area) toast.dismiss(one.id);
  }
  toast[kind](text, {
    id: `${area} ${text}`,
    toasterId: area,
    duration: noticeAreas[area].duration(text),
  });
}
