import { render } from "preact";
import { App } from "./app.tsx";
import { begin } from "./world.ts";

begin();
const root = document.querySelector("#app");
if (root !== null) render(<App />, root);
