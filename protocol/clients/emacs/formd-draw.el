;;; formd-draw.el --- Forms drawn in buffers  -*- lexical-binding: t; -*-

;;; Commentary:

;; Draws the nodes of a form (`formd-layout') with widgets (`formd-widgets').
;;
;; What the user types in is the text of an `editable-field'.  Everything else
;; that takes input is a button with a text, such as [Card] or [X].  Messages,
;; help and progress are strings of overlays, so that they come and go without
;; a change of the buffer.  A form is drawn again only when its parts change;
;; otherwise only what differs is replaced, point stays where it is, and the
;; user can still undo.

;;; Code:

(require 'formd-layout)
(require 'formd-widgets)

(defcustom formd-show-outputs nil
  "Whether the outputs of forms, such as totals, are drawn below the fields."
  :type 'boolean
  :group 'formd)

(defcustom formd-stacked-width 56
  "In a window with fewer columns, labels are above their fields."
  :type 'integer
  :group 'formd)

(defconst formd-draw--label-width-max 28
  "A label that is wider, with its indentation, is above its field.")

(cl-defstruct (formd-part (:constructor formd-part--make) (:copier nil))
  "A node as it is drawn in the buffer."
  node
  ;; Markers at the beginnings of its first line and of the line after it.
  begin end
  ;; The column of the text after the label.
  column
  ;; The widget of the value, or nil.
  widget
  ;; The place of the mark that says that a value is required, or nil.
  mark
  ;; Markers around the text of a value that takes no input, or nil.
  text-begin text-end
  ;; The overlay of the messages below it while there are some, and that of the
  ;; example in it.  Overlays cost time, so there are none without need.
  note placeholder)

(defvar-local formd-session nil
  "The session that this buffer shows.")

(defvar-local formd-draw-edited nil
  "The address of the field in which the user has typed since point entered it.
Until point leaves it, the daemon does not change its text.")

(defvar-local formd-draw--parts nil
  "What is drawn: the parts in the order of the buffer.")

(defvar-local formd-draw--texts nil
  "By address, the text of a value and the value: (TEXT . VALUE).
1.50 stays 1.50 although the value is 1.5.")

(defvar-local formd-draw--stacked nil
  "Non-nil if labels stand above their fields.")

(defvar-local formd-draw--is-postponed nil
  "Non-nil if everything must be drawn when no character is being composed.")

(defvar quail-overlay)

(defvar-local formd-draw--frame 0
  "The number of the current picture of progress.")

(defvar-local formd-draw--timer nil
  "The timer that turns the pictures of progress.")

;;;; Typing

(defun formd-draw-take-typed ()
  "Send the texts typed since the last call to the session."
  (let ((widgets (nreverse formd-widgets-changed)))
    (setq formd-widgets-changed nil)
    (dolist (widget widgets)
      (let* ((address (widget-get widget :formd-address))
             (text (formd-draw--typed-text widget))
             (known (gethash address formd-draw--texts)))
        (unless (equal text (car known))
          (let* ((field (widget-get widget :formd-field))
                 (value (formd-value-of-text text (formd-get field "type") (formd-get field "read"))))
            (puthash address (cons text (unless (eq value :null) value)) formd-draw--texts)
            (setq formd-draw-edited address)
            (formd-session-change formd-session address value)))
        (formd-draw--refresh-placeholder (formd-draw--part-of widget))))))

(defun formd-draw--typed-text (widget)
  "Return the text of the field WIDGET.
What was pasted into a field of one line becomes one line."
  (let ((text (formd-widget-text widget)))
    (when (and (eq 'formd-field (widget-type widget)) (string-search "\n" text))
      (setq text (string-join (split-string text "\n+" t) " "))
      (formd-widget-replace (widget-field-start widget) (widget-field-end widget) text))
    text))

(defun formd-draw--known-text (address)
  "Return the text for the value at ADDRESS."
  (let ((known (gethash address formd-draw--texts))
        (value (formd-session-value formd-session address)))
    (if (and known (formd-equal (cdr known) value))
        (car known)
      ;; The document has the text of a field that reads texts.
      (let ((text (or (formd-get (formd-document-state (formd-session-document formd-session) address)
                                 "text")
                      (formd-text-of-value value))))
        (puthash address (cons text value) formd-draw--texts)
        text))))

(defun formd-draw-rename (now)
  "The fields have other addresses, which the function NOW gives."
  (let ((texts (make-hash-table :test #'equal)))
    (maphash (lambda (address known)
               (when-let* ((name (funcall now address)))
                 (puthash name known texts)))
             formd-draw--texts)
    (setq formd-draw--texts texts
          formd-draw-edited (and formd-draw-edited (funcall now formd-draw-edited)))
    (dolist (part formd-draw--parts)
      (let ((node (formd-part-node part)))
        (when (formd-node-field node)
          (setf (formd-node-address node)
                (or (funcall now (formd-node-address node)) (formd-node-address node)))
          (when-let* ((widget (formd-part-widget part)))
            (widget-put widget :formd-address (formd-node-address node))))))))

;;;; Drawing

(defun formd-draw (&optional anew)
  "Have the buffer show its session as it stands.
With ANEW non-nil draw everything again.  While an input method composes a
character, only what the parts show is changed; `formd-draw-if-postponed' makes
up for the rest."
  (unless formd-draw--texts
    (setq formd-draw--texts (make-hash-table :test #'equal)))
  (formd-draw-take-typed)
  (let ((nodes (formd-layout formd-session formd-show-outputs))
        (stacked (formd-draw--stacked-p)))
    (cond ((and (not anew) (eq stacked formd-draw--stacked)
                (formd-layout-same-p nodes (mapcar #'formd-part-node formd-draw--parts)))
           (save-restriction
             (widen)
             (cl-mapc (lambda (part node)
                        (setf (formd-part-node part) node)
                        (formd-draw--refresh part))
                      formd-draw--parts nodes)))
          ((formd-draw-composing-p)
           (setq formd-draw--is-postponed t))
          (t (setq formd-draw--stacked stacked
                   formd-draw--is-postponed nil)
             ;; The part to which the buffer was narrowed no longer exists.
             (widen)
             (formd-draw--keep-places (lambda () (formd-draw--everything nodes))))))
  (formd-draw--animate))

(defun formd-draw-if-postponed ()
  "Draw what could not be drawn while an input method composed a character."
  (when formd-draw--is-postponed
    (formd-draw t)))

(defun formd-draw-composing-p ()
  "Return non-nil if an input method composes a character in this buffer."
  (and (bound-and-true-p quail-overlay)
       (eq (current-buffer) (overlay-buffer quail-overlay))))

(defun formd-draw--stacked-p ()
  "Return non-nil if the window is too narrow for labels beside their fields."
  (let ((window (get-buffer-window nil t)))
    (if window
        (< (window-width window) formd-stacked-width)
      formd-draw--stacked)))

(defun formd-draw--everything (nodes)
  "Draw NODES in the empty buffer."
  (let ((inhibit-read-only t)
        (inhibit-modification-hooks t)
        (width (formd-draw--label-width))
        before)
    (setq widget-field-list nil
          widget-field-new nil
          formd-draw--parts nil)
    (remove-overlays)
    (erase-buffer)
    (dolist (node nodes)
      (when (formd-draw--apart-p before node)
        (insert "\n"))
      (push (formd-draw--node node width) formd-draw--parts)
      (setq before node))
    (setq formd-draw--parts (nreverse formd-draw--parts))
    (widget-setup)
    (dolist (part formd-draw--parts)
      (formd-draw--prefix part)
      (formd-draw--refresh part))
    (set-buffer-modified-p nil)))

(defun formd-draw--label-width ()
  "Return the width of the column of labels.
It is that of the whole form, so that nothing shifts when a part comes or goes."
  (cl-loop for (depth . label) in (formd-layout-labels
                                   (formd-session-description formd-session))
           for width = (+ (* 2 depth) (string-width label))
           when (<= width formd-draw--label-width-max)
           maximize width into widest
           finally return (or widest 0)))

(defun formd-draw--indent (node)
  "Return how many columns NODE stands to the right."
  (* 2 (formd-node-depth node)))

(defun formd-draw--indented-width (node)
  "Return the width of the label of NODE with its indentation."
  (+ (formd-draw--indent node) (string-width (formd-node-label node))))

(defun formd-draw--node (node width)
  "Insert NODE and return its part.  The column of labels has WIDTH."
  (let* ((begin (point-marker))
         (part (formd-part--make :node node :begin begin
                                 :column (formd-draw--indent node))))
    (insert-char ?\s (formd-draw--indent node))
    (pcase (formd-node-kind node)
      ('title (insert (propertize (formd-node-label node) 'face 'formd-title)))
      ('steps (formd-draw--steps node))
      ('errors)
      ((or 'group 'list)
       (insert (propertize (formd-node-label node) 'face 'formd-heading))
       (when (eq 'list (formd-node-kind node))
         (formd-draw--mark part)))
      ('row
       (insert (propertize (formd-node-label node) 'face 'formd-heading))
       (formd-draw--row-buttons node))
      ('add (setf (formd-part-widget part)
                  (formd-widget-button 'add (formd-node-address node) "[add]")))
      ('page (formd-draw--page node))
      ('action (setf (formd-part-widget part)
                     (formd-widget-button 'tap (formd-node-address node)
                                         (format "[ %s ]" (formd-node-label node))
                                         :button-face #'formd-draw--action-face)))
      (_ (formd-draw--field part width)))
    ;; The field of a text has inserted the line's end, too.
    (unless (memq (formd-node-kind node) '(line lines errors))
      (insert "\n"))
    (setf (formd-part-end part) (point-marker))
    part))

(defun formd-draw--apart-p (before node)
  "Return non-nil if there is an empty line between BEFORE and NODE."
  (let ((kind (formd-node-kind node))
        (kind-before (and before (formd-node-kind before))))
    (pcase kind
      ('steps nil)
      ('action (not (eq 'action kind-before)))
      ('output (not (eq 'output kind-before)))
      ('page t)
      (_ (and (zerop (formd-node-depth node))
              (or (memq kind '(group list))
                  (memq kind-before '(errors steps))
                  ;; The first field after a group or a list.
                  (and before (> (formd-node-depth before) 0))))))))

(defun formd-draw--field (part width)
  "Insert the label and the widget of PART.  The column of labels has WIDTH."
  (let* ((node (formd-part-node part))
         (address (formd-node-address node))
         (kind (formd-node-kind node)))
    (insert (propertize (formd-node-label node) 'face 'formd-label))
    (formd-draw--mark part)
    (when (formd-node-row node)
      (insert " ")
      (formd-draw--row-buttons node))
    (if (or formd-draw--stacked (> (formd-draw--indented-width node) width))
        (progn (setf (formd-part-column part) (+ 2 (formd-draw--indent node)))
               (insert "\n")
               (insert-char ?\s (formd-part-column part)))
      (unless (formd-node-row node)
        (insert-char ?\s (- width (formd-draw--indented-width node))))
      (insert " ")
      (setf (formd-part-column part) (current-column)))
    (pcase kind
      ((or 'readonly 'output)
       (setf (formd-part-text-begin part) (point-marker)
             (formd-part-text-end part) (point-marker)))
      ((or 'line 'lines)
       (when (formd-get (formd-node-field node) "placeholder")
         (setf (formd-part-placeholder part) (make-overlay (point) (point))))
       (setf (formd-part-widget part)
             (widget-create (if (eq kind 'line) 'formd-field 'formd-text)
                            :formd-address address :formd-field (formd-node-field node)
                            (formd-draw--known-text address))))
      (_ (setf (formd-part-widget part)
               (formd-widget-button kind address (formd-draw--button-text node)
                                   :formd-field (formd-node-field node)))))))

(defun formd-draw--mark (part)
  "Insert the place of the mark that the value of PART is required."
  (insert " ")
  (setf (formd-part-mark part) (point-marker))
  (insert " "))

(defun formd-draw--prefix (part)
  "Have the further lines of the field of PART begin below its first one."
  (when (memq (formd-node-kind (formd-part-node part)) '(line lines))
    (let ((overlay (widget-get (formd-part-widget part) :field-overlay))
          (prefix (make-string (formd-part-column part) ?\s)))
      (overlay-put overlay 'line-prefix prefix)
      (overlay-put overlay 'wrap-prefix prefix))))

(defun formd-draw--row-buttons (node)
  "Insert the buttons for the row that NODE is or has the value of."
  (let ((row (formd-node-row node)))
    (when (formd-state-true-p (formd-node-state node) "isEnabled")
      (dolist (button '((remove . "[remove]") (up . "[up]") (down . "[down]")))
        (insert " ")
        (formd-widget-button (car button) row (cdr button))))))

(defun formd-draw--steps (node)
  "Insert the row of pages of the form, which is the label of NODE."
  (let ((here (car (formd-node-label node)))
        (separator ""))
    (dolist (step (cdr (formd-node-label node)))
      (insert separator)
      (setq separator " > ")
      (formd-widget-button 'step (formd-get step "id") (formd-draw--step-label step)
                          :button-face (if (equal here (formd-get step "id"))
                                           'formd-heading
                                         #'formd-draw--step-face)))))

(defun formd-draw--page (node)
  "Insert the button of NODE to the page before or behind this one."
  (pcase-let ((`(,text . ,step) (formd-node-label node)))
    (formd-widget-button 'step (formd-get step "id")
                        (format text (formd-draw--step-label step)))))

(defun formd-draw--step-label (step)
  "Return what STEP is called."
  (or (formd-get step "label") (formd-get step "id")))

(defun formd-draw--step-face (widget)
  "Return the face of the step that is the button WIDGET."
  (let ((state (formd-get (formd-session-document formd-session)
                          "steps" (widget-get widget :formd-address))))
    (if (and (formd-true-p state "isTouched") (not (formd-true-p state "isValid")))
        'formd-error
      'formd-button)))

(defun formd-draw--action-face (widget)
  "Return the face of the action that is the button WIDGET."
  (if (formd-true-p (formd-session-document formd-session)
                    "actions" (widget-get widget :formd-address) "isEnabled")
      'formd-button
    'formd-disabled))

(defun formd-draw--button-text (node)
  "Return the text of the button by which the value of NODE is given."
  (let* ((address (formd-node-address node))
         (state (formd-node-state node))
         (is-empty (and state (formd-state-true-p state "isEmpty")))
         (placeholder (formd-get (formd-node-field node) "placeholder")))
    (pcase (formd-node-kind node)
      ('truth (if (eq t (formd-session-value formd-session address)) "[X]" "[ ]"))
      ('secret (cond ((not is-empty) "[********]")
                     (placeholder (format "[%s]" placeholder))
                     (t "[        ]")))
      (_ (let ((text (formd-session-shown-value formd-session address)))
           (format "[%s]" (if (string-empty-p text) (or placeholder "choose") text)))))))

;;;; Changing what is drawn

(defun formd-draw--refresh (part)
  "Have PART show its node as it is at the moment."
  (let* ((node (formd-part-node part))
         (address (formd-node-address node))
         (widget (formd-part-widget part)))
    (pcase (formd-node-kind node)
      ('readonly
       (formd-draw--set-text part (formd-session-shown-value formd-session address)))
      ('output
       (formd-draw--set-text
        part (formd-text-of-value
              (formd-get (formd-session-document formd-session) "outputs" address))))
      ((or 'line 'lines)
       (unless (or (equal address formd-draw-edited) (memq widget formd-widgets-changed))
         (formd-widget-replace (widget-field-start widget) (widget-field-end widget)
                              (formd-draw--known-text address)))
       (formd-draw--refresh-placeholder part))
      ((or 'secret 'truth 'choice 'set)
       (formd-widget-set-button widget (formd-draw--button-text node)))
      ('action
       (overlay-put (widget-get widget :button-overlay) 'face
                    (formd-draw--action-face widget)))
      ('steps
       (dolist (overlay (overlays-in (formd-part-begin part)
                                     (formd-part-end part)))
         (when-let* ((button (overlay-get overlay 'button)))
           (overlay-put overlay 'face (widget-apply button :button-face-get))))))
    (when (formd-part-mark part)
      (formd-draw--refresh-mark part))
    (formd-draw--refresh-note part)))

(defun formd-draw--refresh-mark (part)
  "Have the mark of PART say whether a value is required."
  (let* ((state (formd-node-state (formd-part-node part)))
         (mark (if (and state (formd-state-true-p state "isRequired")) "*" " "))
         (place (marker-position (formd-part-mark part))))
    (unless (equal mark (buffer-substring-no-properties place (1+ place)))
      (formd-widget-quietly
       (lambda ()
         (subst-char-in-region place (1+ place) (char-after place) (aref mark 0))
         (put-text-property place (1+ place) 'face 'formd-required))))))

(defun formd-draw--refresh-placeholder (part)
  "Have PART show the example of its field while that is empty."
  (when (formd-part-placeholder part)
    (let* ((widget (formd-part-widget part))
           (text (formd-get (widget-get widget :formd-field) "placeholder")))
      (overlay-put (formd-part-placeholder part) 'after-string
                   (and (not (string-empty-p text))
                        (= (widget-field-start widget) (widget-field-end widget))
                        ;; The cursor is before the example, not after it.
                        (concat (propertize (substring text 0 1)
                                            'face 'formd-placeholder 'cursor t)
                                (propertize (substring text 1)
                                            'face 'formd-placeholder)))))))

(defun formd-draw--set-text (part text)
  "Have PART, which takes no input, show TEXT."
  (formd-widget-replace (formd-part-text-begin part) (formd-part-text-end part)
                       (propertize text 'face 'formd-disabled))
  (set-marker (formd-part-text-end part) (+ (formd-part-text-begin part) (length text))))

;;;; Messages

(defun formd-draw--refresh-note (part)
  "Have the lines below PART say what there is to say."
  (let ((lines (formd-draw--note-lines (formd-part-node part))))
    (cond (lines
           (unless (formd-part-note part)
             (setf (formd-part-note part)
                   (make-overlay (formd-part-end part) (formd-part-end part))))
           (let ((prefix (make-string (formd-part-column part) ?\s)))
             (overlay-put (formd-part-note part) 'before-string
                          (mapconcat (lambda (line)
                                       (propertize (concat prefix line "\n")
                                                   'wrap-prefix prefix))
                                     lines ""))))
          ((formd-part-note part)
           (delete-overlay (formd-part-note part))
           (setf (formd-part-note part) nil)))))

(defun formd-draw--note-lines (node)
  "Return the lines below NODE: progress, messages, help."
  (pcase (formd-node-kind node)
    ('errors (mapcar #'formd-draw--error-line
                     (formd-list (formd-session-document formd-session) "errors")))
    ('action (formd-draw--action-lines (formd-node-address node)))
    ((or 'title 'steps 'page 'output 'add) nil)
    (_ (let ((state (formd-node-state node))
             (help (formd-get (formd-node-field node) "help")))
         (append
          (when (and state (formd-state-true-p state "isPending")
                     (not (memq (formd-node-kind node) '(group list row))))
            (list (formd-draw--progress "checking")))
          (formd-draw--message-lines node)
          (when (and help (not (string-empty-p help)))
            (mapcar (lambda (line) (propertize line 'face 'formd-help))
                    (split-string help "\n"))))))))

(defun formd-draw--message-lines (node)
  "Return the messages that show at NODE."
  (let* ((address (formd-node-address node))
         (message (formd-session-message formd-session address)))
    (append (when message
              (list (formd-draw--message-line node address message)))
            ;; The rows of a set are not drawn, so their messages are at the
            ;; set.
            (when (eq 'set (formd-node-kind node))
              (cl-loop for row in (formd-document-rows
                                   (formd-session-document formd-session) address)
                       for message = (formd-session-message formd-session row)
                       when message collect (formd-draw--message-line node row message))))))

(defun formd-draw--message-line (node address message)
  "Return the line at NODE of MESSAGE, which is one about ADDRESS."
  (propertize (concat "! " (formd-named (formd-node-label node)
                                        (replace-regexp-in-string "\n" " " message)))
              'face (if (formd-draw-error-p formd-session address)
                        'formd-error 'formd-warning)))

(defun formd-draw-error-p (session address)
  "Return non-nil if there is an error, not just a warning, at ADDRESS in SESSION."
  (when-let* ((state (formd-session-field-state session address)))
    (seq-some (lambda (problem) (equal "error" (formd-get problem "severity")))
              (formd-state-get state "errors"))))

(defun formd-draw--error-line (problem)
  "Return the line of PROBLEM, an error of the form as a whole."
  (propertize (concat "! " (or (formd-get problem "message") (formd-get problem "code")))
              'face (if (equal "error" (formd-get problem "severity"))
                        'formd-error 'formd-warning)))

(defun formd-draw--action-lines (name)
  "Return the lines below the action NAME: its progress, or its outcome."
  (let ((state (formd-get (formd-session-document formd-session) "actions" name)))
    (cond ((formd-true-p state "isLoading") (list (formd-draw--progress "working")))
          ((formd-get state "message")
           (list (propertize (formd-get state "message")
                             'face (if (formd-get state "error")
                                       'formd-error 'formd-success))))
          ((formd-get state "error")
           (list (propertize (formd-text-of-result (formd-get state "error"))
                             'face 'formd-error)))
          ((formd-get state "result")
           (list (propertize (formd-text-of-result (formd-get state "result"))
                             'face 'formd-success))))))

;;;; Progress

(defun formd-draw--progress (what)
  "Return the line for WHAT, which is in progress."
  (propertize (format "%c %s" (aref "|/-\\" (% formd-draw--frame 4)) what)
              'face 'formd-help 'formd-progress t))

(defun formd-draw--in-progress-p (part)
  "Return non-nil if something is in progress at PART."
  (let ((note (and (formd-part-note part)
                   (overlay-get (formd-part-note part) 'before-string))))
    (and note (text-property-any 0 (length note) 'formd-progress t note))))

(defun formd-draw--animate ()
  "Have a timer while something is in progress."
  (let ((going-on (cl-some #'formd-draw--in-progress-p formd-draw--parts)))
    (cond ((and going-on (not formd-draw--timer))
           (setq formd-draw--timer
                 (run-with-timer 0.2 0.2 #'formd-draw--tick (current-buffer))))
          ((and formd-draw--timer (not going-on))
           (formd-draw-stop)))))

(defun formd-draw--tick (buffer)
  "Draw the next picture of the progress in BUFFER."
  (when (buffer-live-p buffer)
    (with-current-buffer buffer
      (cl-incf formd-draw--frame)
      (dolist (part formd-draw--parts)
        (when (formd-draw--in-progress-p part)
          (formd-draw--refresh-note part))))))

(defun formd-draw-stop ()
  "End the timer of this buffer."
  (when formd-draw--timer
    (cancel-timer formd-draw--timer)
    (setq formd-draw--timer nil)))

;;;; Places

(defun formd-draw--part-at (place)
  "Return the part at PLACE in the buffer."
  (cl-loop for part in formd-draw--parts
           while (<= (formd-part-begin part) place)
           for found = part
           finally return found))

(defun formd-draw--part-of (widget)
  "Return the part whose widget is WIDGET."
  (cl-find widget formd-draw--parts :key #'formd-part-widget :test #'eq))

(defun formd-draw-node-at (place)
  "Return the node at PLACE in the buffer, or nil."
  (when-let* ((part (formd-draw--part-at place)))
    (formd-part-node part)))

(defun formd-draw-field-at (place)
  "Return the address of the field that is edited with point at PLACE, or nil."
  (when-let* ((widget (widget-at place)))
    (and (widget-get widget :formd-field)
         (widget-get widget :formd-address))))

(defun formd-draw-nodes ()
  "Return the nodes that are drawn, in the order of the buffer."
  (mapcar #'formd-part-node formd-draw--parts))

(defun formd-draw-index ()
  "Return the fields of the form, for imenu."
  (cl-loop for part in formd-draw--parts
           for node = (formd-part-node part)
           when (formd-node-field node)
           collect (cons (formd-node-label node) (copy-marker (formd-part-begin part)))))

(defun formd-draw-goto (address &optional kind)
  "Go to where the value at ADDRESS is given, or what is inside of it.
With KIND go to the node of that kind.  Return nil if it is not drawn."
  (when-let* ((part (or (cl-find-if (lambda (part)
                                     (and (equal address (formd-node-address
                                                          (formd-part-node part)))
                                          (if kind
                                              (eq kind (formd-node-kind (formd-part-node part)))
                                            (formd-part-widget part))))
                                   formd-draw--parts)
                       (cl-find-if (lambda (part)
                                     (let ((node (formd-part-node part)))
                                       (and (formd-node-field node)
                                            (formd-address-in-p (formd-node-address node)
                                                                address))))
                                   formd-draw--parts))))
    (let ((place (formd-draw--place part nil 0)))
      (unless (<= (point-min) place (point-max))
        (widen))
      (goto-char place))
    t))

(defun formd-draw--place (part role offset)
  "Return the place in PART of the button for ROLE, or OFFSET into its field."
  (let* ((widget (formd-part-widget part))
         (end (formd-part-end part))
         (button (and role
                      (cl-find-if (lambda (overlay)
                                    (when-let* ((button (overlay-get overlay 'button)))
                                      (eq role (widget-get button :formd-role))))
                                  (overlays-in (formd-part-begin part) end)))))
    (cond (button (overlay-start button))
          ((and widget (overlayp (widget-get widget :field-overlay)))
           (min (+ (widget-field-start widget) offset) (widget-field-end widget)))
          (widget (overlay-start (widget-get widget :button-overlay)))
          (t (min (+ (formd-part-begin part) offset)
                  (max (formd-part-begin part) (1- end)))))))

(defun formd-draw--anchor (place)
  "Return an anchor of PLACE, to find it again after a new drawing."
  (when-let* ((part (formd-draw--part-at place)))
    (let* ((widget (widget-at place))
           (node (formd-part-node part)))
      (list (formd-node-address node) (formd-node-kind node)
            (and widget (widget-get widget :formd-role))
            (- place (if (and widget (overlayp (widget-get widget :field-overlay)))
                         (widget-field-start widget)
                       (formd-part-begin part)))
            (seq-position formd-draw--parts part #'eq)))))

(defun formd-draw--find (anchor)
  "Return the place of ANCHOR in the buffer as it is now."
  (pcase-let ((`(,address ,kind ,role ,offset ,index) anchor))
    (let ((part (or (cl-find-if (lambda (part)
                                  (let ((node (formd-part-node part)))
                                    (and (equal address (formd-node-address node))
                                         (eq kind (formd-node-kind node)))))
                                formd-draw--parts)
                    (cl-find-if (lambda (part)
                                  (and address
                                       (equal address
                                              (formd-node-address (formd-part-node part)))))
                                formd-draw--parts))))
      (cond (part (formd-draw--place part role offset))
            ;; The part is gone: use the part at its place.
            ((and index formd-draw--parts)
             (formd-draw--place (or (nth index formd-draw--parts)
                                    (car (last formd-draw--parts)))
                                role 0))
            (t (point-min))))))

(defun formd-draw--keep-places (function)
  "Call FUNCTION, which draws everything again, and restore the places.
That is point, and in each window that shows the buffer point and the first
line."
  (let ((here (formd-draw--anchor (point)))
        (windows (mapcar (lambda (window)
                           (list window (formd-draw--anchor (window-point window))
                                 (formd-draw--anchor (window-start window))))
                         (get-buffer-window-list nil nil t))))
    (funcall function)
    (goto-char (formd-draw--find here))
    (pcase-dolist (`(,window ,place ,start) windows)
      (set-window-point window (formd-draw--find place))
      (when start
        (set-window-start window
                          (save-excursion (goto-char (formd-draw--find start))
                                          (line-beginning-position))
                          t)))))

(provide 'formd-draw)
;;; formd-draw.el ends here
