import { Toaster as Sonner } from "sonner";

/** Where toasts appear; its styles stand in `styles/app.css`. */
export function Toaster() {
  return <Sonner theme="dark" position="bottom-right" richColors />;
}
