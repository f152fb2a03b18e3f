/** Shows a component that uses the hook of docs/embedding.md, and prints what it shows. */

import { createElement } from "react";
import { create } from "react-test-renderer";
import { useBestMove } from "./hook.mjs";

function Shown({ board }) {
  const { answer, error } = useBestMove(board);
  return error ? error.message : answer ? answer.after.board : "…";
}

const shows = async (root, wanted) => {
  while (!root.toJSON()?.includes(wanted)) await new Promise((resolve) => setTimeout(resolve, 10));
  console.log(root.toJSON());
};

const root = create(createElement(Shown, { board: "X...O...." }));
await shows(root, "XX..O");
root.update(createElement(Shown, { board: "XX..O...." }));
await shows(root, "XXO");
root.update(createElement(Shown, { board: "XX" }));
await shows(root, "cells");
root.unmount();
