// Prints the mutants of JavaScript modules as JSON: [file, start, end, the text that replaces this].
//   node javascript.mjs PATH-OF-TYPESCRIPT MODULE...
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const [parser, ...modules] = process.argv.slice(2);
const { default: ts } = await import(pathToFileURL(parser));
const kind = ts.SyntaxKind;

const OPERATORS = {
  "===": ["!=="], "!==": ["==="], "<": ["<=", ">"], "<=": ["<", ">"], ">": [">=", "<"],
  ">=": [">", "<"], "+": ["-"], "-": ["+"], "*": ["/"], "/": ["*"], "%": ["*"], "&&": ["||"],
  "||": ["&&"], "??": ["&&"], "+=": ["-="], "-=": ["+="], "<<": [">>"], ">>": ["<<"], "&": ["|"],
  "|": ["&"], "^": ["&"], "++": ["--"], "--": ["++"],
};

const mutants = [];
for (const module of modules) {
  const source = ts.createSourceFile(module, readFileSync(module, "utf8"), ts.ScriptTarget.Latest, true);
  const replace = (node, ...texts) => {
    for (const text of texts) mutants.push([module, node.getStart(source), node.getEnd(), text]);
  };
  const look = (node) => {
    if (ts.isImportDeclaration(node)) return;
    if (ts.isBinaryExpression(node)) {
      replace(node.operatorToken, ...(OPERATORS[node.operatorToken.getText(source)] ?? []));
    } else if (ts.isPostfixUnaryExpression(node) || ts.isPrefixUnaryExpression(node)) {
      const operand = node.operand.getText(source);
      const [text, other] = node.operator === kind.PlusPlusToken ? ["++", "--"] : ["--", "++"];
      if (node.operator === kind.ExclamationToken) replace(node, operand);
      else if (node.getText(source).includes(text)) {
        replace(node, ts.isPrefixUnaryExpression(node) ? other + operand : operand + other);
      }
    } else if (ts.isNumericLiteral(node)) {
      replace(node, `${Number(node.text) + 1}`, `${Math.max(0, Number(node.text) - 1)}`);
    } else if (node.kind === kind.TrueKeyword) replace(node, "false");
    else if (node.kind === kind.FalseKeyword) replace(node, "true");
    else if (ts.isIfStatement(node) || ts.isWhileStatement(node)) {
      replace(node.expression, `!(${node.expression.getText(source)})`, "false");
    } else if (ts.isConditionalExpression(node)) {
      replace(node.condition, "true", "false");
    } else if (ts.isExpressionStatement(node) && ts.isCallExpression(node.expression)) {
      replace(node, ";");
    } else if (ts.isBreakStatement(node)) replace(node, "continue;");
    ts.forEachChild(node, look);
  };
  look(source);
}
console.log(JSON.stringify(mutants.filter(([, start, end, text]) => text !== undefined && end > start)));
