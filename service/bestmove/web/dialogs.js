/** Loads the styles of the dialogs that are loaded on demand. */

import { loadStyle } from "./style.js";

await loadStyle("dialogs.css");
