import { brand } from "@/brand/brand";
import type { System } from "@/contract/vocabulary/builds";

/** How each system opens the file that its card lists first. */
export const openHints: Record<System, string> = {
  windows: "Double-click the installer in your Downloads folder and follow the steps.",
  mac: `Double-click the disk image in your Downloads folder, then drag ${brand.shortName} to Applications.`,
  linux:
    "Allow the AppImage to run (Properties, Permissions, or chmod +x) and double-click it. Install a .deb or .rpm with your package manager.",
};

/** What each system says about a file that it doesn't know, and how to continue. */
export const warnings: readonly { system: System; name: string; text: string }[] = [
  {
    system: "windows",
    name: "Windows protected your PC",
    text: "Choose More info, then Run anyway.",
  },
  {
    system: "mac",
    name: "The developer cannot be verified",
    text: "Close the message, open System Settings, Privacy & Security, and choose Open Anyway.",
  },
  {
    system: "linux",
    name: "Nothing happens, or FUSE is missing",
    text: "Allow the file to run, and install libfuse2 with your package manager. Or use the .deb or .rpm.",
  },
];
