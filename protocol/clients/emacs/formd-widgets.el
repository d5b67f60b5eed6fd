;;; formd-widgets.el --- The widgets of forms  -*- lexical-binding: t; -*-

;;; Commentary:

;; Fields and buttons as wid-edit knows them, and how their texts are replaced
;; while the user types elsewhere: point stays where it is, and what the user
;; typed can still be undone.

;;; Code:

(require 'cl-lib)
(require 'subr-x)
(require 'wid-edit)

;;;; Faces

(defgroup formd-faces nil
  "Faces of forms."
  :group 'formd
  :group 'faces)

(defface formd-title '((t :inherit bold :height 1.2))
  "Face of a form's title.")

(defface formd-heading '((t :inherit bold))
  "Face of the headings of groups, lists and rows.")

(defface formd-label '((t))
  "Face of a field's label.")

(defface formd-required '((t :inherit error))
  "Face of the mark of a field that must have a value.")

(defface formd-field
  '((((class color) (min-colors 256) (background dark)) :background "#3a3a3a" :extend t)
    (((class color) (min-colors 256) (background light)) :background "#e4e4e4" :extend t)
    (t :underline t :extend t))
  "Face of the place where a text is edited.")

(defface formd-button '((t :inherit link :underline nil :weight bold))
  "Face of a button, and of a choice that can be changed.")

(defface formd-disabled '((t :inherit shadow))
  "Face of parts that take no input at the moment.")

(defface formd-placeholder '((t :inherit (shadow formd-field)))
  "Face of the example in an empty field.")

(defface formd-help '((t :inherit shadow))
  "Face of the help below a field.")

(defface formd-error '((t :inherit error))
  "Face of a message about an error.")

(defface formd-warning '((t :inherit warning))
  "Face of a message about a warning.")

(defface formd-success '((t :inherit success))
  "Face of the message of a succeeded action.")

;;;; Widgets

(defvar-local formd-widget-press-function #'ignore
  "Function called with a button's widget when the user presses it.")

(defvar-local formd-widget-typed-function #'ignore
  "Function called when texts were changed, and no command ends that takes them.")

(defvar-local formd-widgets-changed nil
  "The widgets whose texts the user has changed since they were last read.")

(defvar formd-field-map
  (let ((map (make-sparse-keymap)))
    (set-keymap-parent map widget-field-keymap)
    map)
  "Keymap of fields of one line.")

(defvar formd-text-map
  (let ((map (make-sparse-keymap)))
    (set-keymap-parent map widget-text-keymap)
    map)
  "Keymap of fields of several lines.")

(defvar formd-button-map
  (let ((map (make-sparse-keymap)))
    (set-keymap-parent map widget-keymap)
    map)
  "Keymap of buttons.")

(define-widget 'formd-field 'editable-field
  "A text of one line."
  :format "%v"
  :keymap formd-field-map
  :value-face 'formd-field
  :help-echo nil
  :notify #'formd-widgets--changed)

(define-widget 'formd-text 'text
  "A text of several lines."
  :format "%v"
  :keymap formd-text-map
  :value-face 'formd-field
  :help-echo nil
  :notify #'formd-widgets--changed)

(define-widget 'formd-button 'item
  "A button.  Its property :formd-role says what it is for."
  :format "%[%v%]"
  :button-prefix ""
  :button-suffix ""
  :button-face 'formd-button
  :keymap formd-button-map
  :value-create (lambda (widget) (insert (widget-get widget :value)))
  :action (lambda (widget &optional _event) (funcall formd-widget-press-function widget)))

(defun formd-widgets--changed (widget &rest _)
  "The user changed the text of WIDGET, or is about to change it.
Usually a command changes it, and its hook takes the text.  Some input methods
insert for a while within one command, so a timer takes it, too."
  (cl-pushnew widget formd-widgets-changed :test #'eq)
  (run-with-timer 0 nil #'formd-widgets--look (current-buffer)))

(defun formd-widgets--look (buffer)
  "Have the texts of BUFFER taken that were changed."
  (when (buffer-live-p buffer)
    (with-current-buffer buffer
      (when formd-widgets-changed
        (funcall formd-widget-typed-function)))))

(defun formd-widget-button (role address text &rest properties)
  "Insert a button for ROLE at ADDRESS with TEXT and return its widget.
PROPERTIES are more of them."
  (apply #'widget-create 'formd-button :formd-role role :formd-address address
         :value text properties))

(defun formd-widget-text (widget)
  "Return the text of the field WIDGET as it stands in the buffer."
  (buffer-substring-no-properties (widget-field-start widget) (widget-field-end widget)))

;;;; Replacing what they show

(defun formd-widget-set-button (widget text)
  "Have the button WIDGET show TEXT."
  (let* ((overlay (widget-get widget :button-overlay))
         (begin (overlay-start overlay)))
    (unless (equal text (buffer-substring-no-properties begin (overlay-end overlay)))
      (let ((end (overlay-end overlay))
            (inside (- (point) begin)))
        ;; The new text is inserted after the first character, inside the
        ;; overlay.
        (formd-widget-replace (1+ begin) end (substring text 1))
        (when (< 0 inside (- end begin))
          (goto-char begin))
        (move-overlay overlay begin (+ begin (length text)))))))

(defun formd-widget-quietly (function)
  "Call FUNCTION without marking the buffer as edited by the user."
  (let ((inhibit-read-only t)
        (inhibit-modification-hooks t)
        (buffer-undo-list t))
    (with-silent-modifications (funcall function))))

(defun formd-widget-replace (begin end text)
  "Replace the text between BEGIN and END by TEXT.
Only differing parts are touched, so point stays at its place.  The user can
still undo edits at other places."
  (let* ((begin (if (markerp begin) (marker-position begin) begin))
         (end (if (markerp end) (marker-position end) end))
         (old (buffer-substring-no-properties begin end))
         (shorter (min (length old) (length text)))
         (same (or (cl-loop for place from 0 below shorter
                            unless (eq (aref old place) (aref text place)) return place)
                   shorter))
         (tail (or (cl-loop for count from 0 below (- shorter same)
                            unless (eq (aref old (- (length old) count 1))
                                       (aref text (- (length text) count 1)))
                            return count)
                   (- shorter same))))
    (unless (equal old text)
      (formd-widget-quietly
       (lambda ()
         (save-excursion
           (goto-char (+ begin same))
           ;; Insert first, then delete: markers and overlays around it keep
           ;; their places.
           (insert (substring text same (- (length text) tail)))
           (delete-region (point) (+ (point) (- (length old) same tail))))))
      (formd-widgets--adjust-undo begin end (- (length text) (length old))))))

(defun formd-widgets--adjust-undo (begin end by)
  "What stood between BEGIN and END was replaced, and what is behind moved BY.
The undo list gets the places that its changes have now.  It is cleared if one
of them was at this very place."
  (when (consp buffer-undo-list)
    (cl-flet ((inside (place) (<= begin (abs place) end))
              (moved (place) (cond ((<= (abs place) end) place)
                                   ((< place 0) (- place by))
                                   (t (+ place by)))))
      (if (cl-some (lambda (entry)
                     (pcase entry
                       ((pred integerp) nil)
                       (`(,(and (pred integerp) from) . ,(and (pred integerp) to))
                        (or (inside from) (inside to)))
                       (`(,(pred stringp) . ,(and (pred integerp) place)) (inside place))))
                   buffer-undo-list)
          (setq buffer-undo-list nil)
        (cl-loop for rest on buffer-undo-list
                 do (pcase (car rest)
                      ((and (pred integerp) place) (setcar rest (moved place)))
                      (`(,(and (pred integerp) from) . ,(and (pred integerp) to))
                       (setcar (car rest) (moved from))
                       (setcdr (car rest) (moved to)))
                      (`(,(pred stringp) . ,(and (pred integerp) place))
                       (setcdr (car rest) (moved place)))))))))

(provide 'formd-widgets)
;;; formd-widgets.el ends here
