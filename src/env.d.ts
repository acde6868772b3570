/// <reference types="astro/client" />

declare namespace App {
  interface Locals {
    /** The article whose figures, claims and tables the components on this page look up. */
    article: import('./articles/record.ts').ArticleRecord;
  }
}
