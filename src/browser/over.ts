/** Brings the style sheet of what scripts open over a page, and answer in it; whoever only reads needs none of it. */
import sheet from '../styles/over.css?url';

const link = document.createElement('link');
Object.assign(link, { rel: 'stylesheet', href: sheet });
document.head.append(link);
