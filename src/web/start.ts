// React is evaluated here and the app after it: together they would be one long task on a slow phone.
import "react-dom/client";

const { mount } = await import("./mount");
mount();
