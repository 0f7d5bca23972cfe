import { type CSSProperties, useEffect, useInsertionEffect } from "react";
import { Toaster as Sonner, toast, type ToasterProps } from "sonner";
import styles from "sonner/dist/styles.css" with { type: "text" };
import { deliverNotices, type Notice, noticeAreas } from "./parts/notices";

// Sonner's own variables, in the colours of the theme; the close button to the right.
const variables = {
  "--normal-bg": "var(--popover)",
  "--normal-border": "var(--border)",
  "--normal-text": "var(--popover-foreground)",
  "--border-radius": "var(--radius)",
  "--width": "380px",
  "--toast-close-button-start": "unset",
  "--toast-close-button-end": "0",
  "--toast-close-button-transform": "translate(35%, -35%)",
} as CSSProperties;

const classNames = {
  toast: "font-sans! shadow-2xl!",
  success: "border-success/40! [&_[data-icon]]:text-success",
  info: "border-info/40! [&_[data-icon]]:text-info",
  warning: "border-warning/40! [&_[data-icon]]:text-warning",
  error: "border-destructive/50! [&_[data-icon]]:text-destructive",
};

const look = { theme: "dark", expand: true, closeButton: true, style: variables } satisfies ToasterProps;

/** Where toasts appear, one place an area. */
export function Toaster() {
  useInsertionEffect(addStyles, []);
  useEffect(() => deliverNotices(show), []);
  const { site, recovery, account } = noticeAreas;
  return (
    <>
      <Sonner
        id="site"
        {...look}
        position={site.position}
        visibleToasts={site.visible}
        toastOptions={{ classNames }}
      />
      <Sonner
        id="recovery"
        {...look}
        containerAriaLabel="Recovery notifications"
        position={recovery.position}
        visibleToasts={recovery.visible}
        toastOptions={{ classNames }}
      />
      <Sonner
        id="account"
        {...look}
        containerAriaLabel="Account notifications"
        position={account.position}
        visibleToasts={account.visible}
        toastOptions={{
          classNames,
          // 225 ms in, 195 ms out.
          className: "duration-[225ms]! data-[removed=true]:duration-[195ms]!",
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

/** Sonner's styles come with its code, not with the page; as an object, which the content policy allows. */
function addStyles() {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(styles);
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
  return () => {
    document.adoptedStyleSheets = document.adoptedStyleSheets.filter((other) => other !== sheet);
  };
}
