// The condition of a rebuilt [[ ]]. Only known words are compared, so it tells nothing about a secret variable.
import type { TestExpression } from "unbash";
import { never } from "../base/never.ts";
import { NotRebuilt, type Rebuilding } from "./rebuild-state.ts";
import { quote, rebuildKnownWord } from "./rebuild-word.ts";

const UNARY = /^-[abcdefghknprstuwxzLNOGS]$/;
const BINARY = /^(=|==|!=|<|>|-nt|-ot|-ef)$/;
const NUMERIC = /^-(eq|ne|lt|le|gt|ge)$/;

export function rebuildCondition(expression: TestExpression, state: Rebuilding): string {
  switch (expression.type) {
    case "TestUnary":
      if (!UNARY.test(expression.operator)) throw new NotRebuilt(`it tests with ${expression.operator}`);
      return `${expression.operator} ${quote(rebuildKnownWord(expression.operand, state))}`;
    case "TestBinary": {
      const { operator } = expression;
      const isNumeric = NUMERIC.test(operator);
      if (!isNumeric && !BINARY.test(operator)) throw new NotRebuilt(`it tests with ${operator}`);
      const operands = [expression.left, expression.right].map((word) => {
        if (word.parts?.some(({ type }) => type === "Glob")) throw new NotRebuilt("it matches a pattern");
        const value = rebuildKnownWord(word, state);
        if (isNumeric && !/^-?\d+$/.test(value)) throw new NotRebuilt("it calculates with variables");
        return quote(value);
      });
      return operands.join(` ${operator} `);
    }
    case "TestLogical":
      return expression.operands
        .map((each) => rebuildCondition(each, state))
        .join(` ${expression.operator} `);
    case "TestNot":
      return `${"! ".repeat(expression.negations.length)}${rebuildCondition(expression.operand, state)}`;
    case "TestGroup":
      return `( ${rebuildCondition(expression.expression, state)} )`;
    default:
      return never(expression);
  }
}
