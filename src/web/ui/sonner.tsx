import { type CSSProperties, useInsertionEffect } from "react";
import { Toaster as Sonner, type ToasterProps } from "sonner";
import { useDrawnTheme } from "../hooks/use-theme";
import styles from "sonner/dist/styles.css" with { type: "text" };

// Sets Sonner's variables to the theme's colours, and the close button to the right.
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
  // larger for a finger than it looks
  closeButton: "size-6! after:absolute after:-inset-2.5",
  error: "border-destructive/50! [&_[data-icon]]:text-destructive",
};

/** Toasts in the theme's colours, never stacked. */
export function Toaster({ toastOptions, ...props }: ToasterProps) {
  useInsertionEffect(adoptStyles, []);
  return (
    <Sonner
      theme={useDrawnTheme()}
      expand
      closeButton
      style={variables}
      toastOptions={{ classNames, ...toastOptions }}
      {...props}
    />
  );
}

/** Sonner's styles come with its code, not with the page, and as an object, because the content policy allows that. */
const sheet = new CSSStyleSheet();
sheet.replaceSync(styles);

function adoptStyles() {
  if (document.adoptedStyleSheets.includes(sheet)) return;
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
}
