/**
 * The switch between light and dark. kept.js puts a kept choice on before the page is drawn; a
 * choice that is the system's own is not kept, so that the page goes along with the system again.
 */
const KEPT = 'weighbridge.theme';

const root = document.documentElement;
const system = matchMedia('(prefers-color-scheme: dark)');
const theme = document.querySelector<HTMLButtonElement>('button.theme');

const ofSystem = () => (system.matches ? 'dark' : 'light');
const other = () => ((root.dataset['theme'] ?? ofSystem()) === 'dark' ? 'light' : 'dark');

/** The button says what it leads to, and the frame of a browser takes the colour of the paper. */
function show(): void {
  if (theme === null) return;
  theme.textContent = other() === 'dark' ? 'Dark' : 'Light';
  if (root.dataset['theme'] === undefined) return;
  const paper = getComputedStyle(document.body).backgroundColor;
  for (const meta of document.querySelectorAll<HTMLMetaElement>('meta[name="theme-color"]')) {
    meta.content = paper;
  }
}

if (theme !== null) {
  theme.addEventListener('click', () => {
    const chosen = other();
    root.dataset['theme'] = chosen;
    try {
      if (chosen === ofSystem()) localStorage.removeItem(KEPT);
      else localStorage.setItem(KEPT, chosen);
    } catch {
      // A browser that keeps nothing shows the choice on this page alone.
    }
    show();
  });
  system.addEventListener('change', show);
  show();
}
