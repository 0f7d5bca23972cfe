import { loadFailureOf } from "./page/load-failure";
import { surviveTranslators } from "./translated";

surviveTranslators();

// Evaluates React before the app: together they would be one long task on a slow phone.
const app = await import("./react")
  .then(() => import("./mount"))
  .catch(async () => {
    await loadFailureOf();
    return null;
  });
// Without the app, the page stays as sent, and its own late notice offers a retry.
if (app) app.mount();
else document.documentElement.dataset.scripts = "lost";
