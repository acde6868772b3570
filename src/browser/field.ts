/** A field for a number, and what is said where something else stands in it. */
import { number } from '../render/counted.ts';

/**
 * What a field wants, by its own min, max and step, where it holds something else; null where it is as it
 * must be. Marks the field accordingly.
 */
export function wanted(input: HTMLInputElement): string | null {
  const { min, max, step, validity, labels } = input;
  if (validity.valid) {
    input.removeAttribute('aria-invalid');
    return null;
  }
  input.setAttribute('aria-invalid', 'true');
  const label = labels?.[0]?.firstChild?.textContent?.trim() ?? input.name;
  const kind = step === 'any' ? 'a number' : 'a whole number';
  return `${label}: ${kind} from ${number(Number(min))} to ${number(Number(max))}.`;
}
