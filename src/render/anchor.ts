/** The fragment ids that pages and markdown share, without the `#`. Pure. */

export const figureAnchor = (id: string): string => id;
export const claimAnchor = (id: string): string => `claim-${id}`;
export const sourceAnchor = (id: string): string => `source-${id}`;
export const tableAnchor = (id: string): string => `table-${id}`;
