import { type CSSProperties, useEffect } from "react";
import { Toaster as Sonner, toast } from "sonner";
import { deliverNotices, type Notice, noticeAreas } from "./parts/notices";

// Sonner's own variables, in the colours of the theme.
const colours = {
  "--normal-bg": "var(--popover)",
  "--normal-border": "var(--border)",
  "--normal-text": "var(--popover-foreground)",
  "--width": "380px",
} as CSSProperties;

/** Where toasts appear, one place an area; their styles stand in `styles/app.css`. */
export function Toaster() {
  useEffect(() => deliverNotices(show), []);
  return (
    <>
      <Sonner
        id="site"
        theme="dark"
        richColors
        expand
        closeButton
        style={colours}
        position={noticeAreas.site.position}
        visibleToasts={noticeAreas.site.visible}
        toastOptions={{ className: "font-sans!" }}
      />
      <Sonner
        id="account"
        theme="dark"
        richColors
        expand
        closeButton
        style={colours}
        containerAriaLabel="Account notifications"
        position={noticeAreas.account.position}
        visibleToasts={noticeAreas.account.visible}
        toastOptions={{
          className: "font-sans! duration-[225ms]! data-[removed=true]:duration-[195ms]!",
        }}
      />
    </>
  );
}

/** The same sentence twice is one toast: its text is its name. */
function show({ kind, text, area }: Notice) {
  toast[kind](text, {
    id: `${area} ${text}`,
    toasterId: area,
    duration: noticeAreas[area].duration(text),
  });
}
