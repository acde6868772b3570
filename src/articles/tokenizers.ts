/** Reads content/tokenizers.yaml: which tokenizers' counts are recorded, since no build can make them. Pure. */
import { z } from 'zod';
import { readYaml, textProblems } from './yaml.ts';

const FILE = 'content/tokenizers.yaml';
const Name = z.string().regex(/^[a-z0-9]+(?:[-_.][a-z0-9]+)*$/, 'the name of a tokenizer');
const Names = z
  .array(Name)
  .refine((names) => new Set(names).size === names.length, 'names a tokenizer twice');

/** Their names in the order of the file; none where there is no file. Throws the first Problem, with its file, line and column. */
export function parseTokenizers(text: string): string[] {
  if (text === '') return [];
  const yaml = readYaml(FILE, text, Names);
  const [problem] = [...textProblems(FILE, text), ...yaml.problems];
  if (problem !== undefined) throw problem;
  return yaml.value ?? [];
}
