import { lossOf } from "./loss";

// React is evaluated before the app: together they would be one long task on a slow phone.
const app = await import("react-dom/client")
  .then(() => import("./mount"))
  .catch(async () => {
    await lossOf();
    return null;
  });
// Without it the page stays as it was sent, and its own late notice offers to load it again.
if (app) app.mount();
else document.documentElement.dataset.scripts = "lost";
