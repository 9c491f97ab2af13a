// Answers the jobs in the jobs.json of a folder, each with a file of numbers beside it.
import fs from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { answered } from "./wasm_jobs.mjs";

const [script, module, folder] = process.argv.slice(2);
const { load } = await import(pathToFileURL(script));
const tables = JSON.parse(fs.readFileSync(path.join(module, "collision.json"), "utf8"));
const bytes = fs.readFileSync(path.join(module, "collision.wasm"));
const told = JSON.parse(fs.readFileSync(path.join(folder, "jobs.json"), "utf8"));

function numbers(name) {
  const file = fs.readFileSync(path.join(folder, name));
  return new Float64Array(file.buffer.slice(file.byteOffset, file.byteOffset + file.length));
}

const answers = await answered(load, bytes, tables, told, numbers);
answers.forEach(({ all }, k) => fs.writeFileSync(path.join(folder, told.jobs[k].answer), Buffer.from(all.buffer)));
console.log(JSON.stringify(answers.map(({ seconds }) => seconds)));
