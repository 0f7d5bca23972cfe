/** React alone, which `start.ts` evaluates before the app. */
import "react-dom/client";
