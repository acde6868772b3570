/** The fragment ids that pages and markdown share, without the `#`. Pure. */

export const figureAnchor = (id: string): string => id;
export const claimAnchor = (id: string): string => `claim-${id}`;
export const sourceAnchor = (id: string): string => `source-${id}`;
/** On /evidence/: `status-observed`, `surface-S1`. */
export const wordAnchor = (kind: 'tier' | 'status' | 'quote' | 'surface', word: string): string =>
  `${kind}-${word}`;
export const symptomAnchor = (id: string): string => `symptom-${id}`;
export const tableAnchor = (id: string): string => `table-${id}`;
