// Puts on the colours that a reader chose, before anything is drawn: no module, which would come too late.
// Where no choice is kept those of the system hold. theme.ts beside it is the switch.
try {
  const kept = localStorage.getItem('weighbridge.theme');
  if (kept === 'light' || kept === 'dark') document.documentElement.dataset.theme = kept;
} catch {
  // A browser that keeps nothing has no choice to tell.
}
