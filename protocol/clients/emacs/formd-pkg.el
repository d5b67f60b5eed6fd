;; -*- no-byte-compile: t; lexical-binding: nil -*-
(define-package "formd" "0.1.0"
  "Fill in forms of a formd daemon"
  '((emacs "28.2"))
  :keywords '("convenience" "data" "tools"))
