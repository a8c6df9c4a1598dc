import { render } from "preact";
import { App } from "./app.tsx";
import { startApp } from "./app-state.ts";

startApp();
const root = document.querySelector("#app");
if (root !== null) render(<App />, root);
