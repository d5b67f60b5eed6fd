;;; formd-layout.el --- Which parts a form has on the screen  -*- lexical-binding: t; -*-

;;; Commentary:

;; A form as it stands becomes a list of nodes, from the top to the bottom:
;; headings, fields, rows, buttons.  Nothing is drawn here.  As long as the
;; nodes of a form are the same, `formd-draw' changes only what they show;
;; when the nodes differ, it draws the form again.

;;; Code:

(require 'formd-session)

(cl-defstruct (formd-node (:constructor formd-node--make) (:copier nil))
  "One part of a form on the screen."
  ;; `title', `steps', `errors', `group', `list', `row', `add', `page',
  ;; `action', `output'; and of fields:
  ;; `line'      a text of one line
  ;; `lines'     a text of several lines
  ;; `secret'    a text that nobody sees
  ;; `truth'     yes or no
  ;; `choice'    one of several
  ;; `set'       some of several
  ;; `readonly'  a value that takes no input at the moment
  kind
  ;; The field's address; the name of an action or output.
  address
  ;; The label.  For `steps', the current step and all steps; for `page', the
  ;; format of the button, and the step to which it goes.
  label
  ;; The depth: 0 for a part that is in no group and in no row.
  depth
  ;; The field's description, and its state in the document.
  field state
  ;; The row that the node itself is, if its field is a row.
  row)

(defun formd-layout (session &optional with-outputs)
  "Return the nodes of SESSION as it stands.
WITH-OUTPUTS says whether the form's outputs are among them."
  (let ((description (formd-session-description session)))
    (append
     (list (formd-node--make :kind 'title :label (formd-session-title session) :depth 0)
           (formd-node--make :kind 'errors :depth 0))
     (when (formd-list description "steps")
       (list (formd-node--make :kind 'steps :depth 0
                               :label (cons (formd-session-step session)
                                            (formd-session-steps session)))))
     (mapcan (lambda (field)
               (formd-layout--field session field (formd-get field "address")
                                    (formd-get (formd-session-document session)
                                               "fields" (formd-get field "name"))
                                    0))
             (formd-list description "fields"))
     (when with-outputs
       (mapcar (lambda (name)
                 (formd-node--make :kind 'output :address name :label name :depth 0))
               (seq-remove (lambda (name) (string-prefix-p "/" name))
                           (formd-list description "outputs"))))
     (let ((behind (unless (formd-session-way-on session)
                     (formd-session-step-beside session 1))))
       (when behind
         (list (formd-node--make :kind 'page :label (cons "[%s >]" behind) :depth 0))))
     (let ((actions (formd-session-actions session)))
       (mapcar (lambda (action)
                 (formd-node--make :kind 'action :address (formd-get action "name")
                                   :label (formd-layout--action-label actions action)
                                   :depth 0))
               actions))
     ;; The way back is last: TAB behind the last field goes on.
     (let ((before (formd-session-step-beside session -1)))
       (when before
         (list (formd-node--make :kind 'page :label (cons "[< %s]" before) :depth 0)))))))

(defun formd-layout-same-p (one other)
  "Return non-nil if the nodes ONE and OTHER differ in nothing but what they show."
  (and (= (length one) (length other))
       (cl-every (lambda (node before)
                   (and (eq (formd-node-kind node) (formd-node-kind before))
                        (equal (formd-node-address node) (formd-node-address before))
                        (equal (formd-node-label node) (formd-node-label before))
                        (= (formd-node-depth node) (formd-node-depth before))
                        ;; A form's texts change with its language.
                        (eq (formd-node-field node) (formd-node-field before))))
                 one other)))

(defun formd-session-title (session)
  "Return the title of the form of SESSION."
  (let ((description (formd-session-description session)))
    (or (formd-get description "title") (formd-get description "form"))))

(defun formd-field-label (field)
  "Return the label of FIELD, or of an action."
  (or (formd-get field "label") (formd-get field "name")))

(defun formd-named (label message)
  "Return MESSAGE with the LABEL of its field before it.
A message that begins with the label stays as it is.  A screen reader reads
each line alone."
  (if (or (string-empty-p label) (string-prefix-p label message t))
      message
    (format "%s: %s" label message)))

(defun formd-layout--action-label (actions action)
  "Return the label of ACTION, with its name if one of ACTIONS has the same."
  (let ((label (formd-field-label action)))
    (if (cl-some (lambda (other)
                   (and (not (eq other action))
                        (equal label (formd-field-label other))))
                 actions)
        (format "%s (%s)" label (formd-get action "name"))
      label)))

;;;; Fields

(defun formd-layout-labels (description)
  "Return all labels of fields that DESCRIPTION has: (DEPTH . LABEL) each."
  (cl-labels ((labels (field depth)
                (cond ((formd-field-leaf-p field)
                       (list (cons depth (formd-field-label field))))
                      ((formd-get field "items")
                       (unless (formd-field-leaf-p (formd-get field "items"))
                         (labels (formd-get field "items") (1+ depth))))
                      (t (mapcan (lambda (inner) (labels inner (1+ depth)))
                                 (formd-list field "fields"))))))
    (mapcan (lambda (field) (labels field 0)) (formd-list description "fields"))))

(defun formd-layout--field (session field address state depth &optional label)
  "Return the nodes of FIELD, which is at ADDRESS in SESSION and has STATE.
It stands DEPTH to the right.  LABEL is what it is called, if not what the form
says."
  (let* ((label (or label (formd-field-label field)))
         (row (and (string-match-p "/#[0-9]+\\'" address) address))
         (make (lambda (kind)
                 (formd-node--make :kind kind :address address :label label :depth depth
                                   :field field :state state :row row))))
    (cond
     ((not (and state (formd-state-true-p state "isVisible"))) nil)
     ((formd-field-leaf-p field)
      (when (formd-layout--on-page-p session field)
        (list (funcall make (formd-layout--kind field state)))))
     ((formd-get field "items")
      (when (formd-layout--on-page-p session field)
        (cons (funcall make 'list)
              (formd-layout--rows session field address state (1+ depth) label))))
     (t (when-let* ((inner (mapcan (lambda (part)
                                    (formd-layout--inner session part address state
                                                         (1+ depth)))
                                  (formd-list field "fields"))))
          (cons (funcall make (if row 'row 'group)) inner))))))

(defun formd-layout--inner (session field around state depth)
  "Return the nodes of FIELD, which is inside of what is at AROUND in SESSION.
What is around it has STATE, and it stands DEPTH to the right."
  (let ((name (formd-get field "name")))
    (formd-layout--field session field (formd-address-below around name)
                         (formd-state-below state name (string-search "#" around))
                         depth)))

(defun formd-layout--rows (session field address state depth label)
  "Return the nodes below the heading of the list FIELD at ADDRESS in SESSION.
The list has STATE and is called LABEL.  The nodes stand DEPTH to the right."
  (let ((items (formd-get field "items"))
        (number 0))
    (append
     (mapcan (lambda (identity)
               (let* ((row (formd-address-below address (concat "#" identity)))
                      (state (or (formd-get state "rows" identity) (formd-object))))
                 (when (formd-state-true-p state "isVisible")
                   (cl-incf number)
                   (formd-layout--row session items row state depth
                                      (format "%s %d" label number)))))
             (formd-list state "order"))
     (when (formd-state-true-p state "isEnabled")
       (list (formd-node--make :kind 'add :address address :label label :depth depth
                               :field field :state state))))))

(defun formd-layout--row (session items row state depth label)
  "Return the nodes of the ROW, an address, whose field is ITEMS, in SESSION.
It has STATE and is called LABEL, and DEPTH is how far to the right it stands."
  (or (formd-layout--field session items row state depth label)
      ;; All fields of the row are hidden, but the row can be removed.
      (list (formd-node--make :kind 'row :address row :label label :depth depth
                              :field items :state state :row row))))

(defun formd-layout--kind (field state)
  "Return the kind of the node for FIELD, whose state is STATE."
  (cond ((or (formd-true-p field "computed")
             (not (formd-state-true-p state "isEnabled")))
         'readonly)
        ((formd-true-p field "isSecret") 'secret)
        ((formd-field-set-p field) 'set)
        ((or (formd-true-p field "hasLiveOptions") (formd-list field "options"))
         (if (equal "array" (formd-get field "type")) 'set 'choice))
        ((equal "boolean" (formd-get field "type")) 'truth)
        ((and (equal "string" (formd-get field "type"))
              (member (formd-get field "widget") '("textarea" "multiline")))
         'lines)
        (t 'line)))

;;;; Steps

(defun formd-session-step (session)
  "Return the step where the user of SESSION is, or nil."
  (formd-get (formd-session-document session) "step"))

(defun formd-session-steps (session)
  "Return the visible pages of SESSION in order; each is a step."
  (seq-filter (lambda (step)
                (formd-true-p (formd-session-document session)
                              "steps" (formd-get step "id") "isVisible"))
              (formd-list (formd-session-description session) "steps")))

(defun formd-session-step-beside (session by)
  "Return the step BY pages behind that of the user of SESSION, or nil.
BY is negative for one before it."
  (let* ((steps (formd-session-steps session))
         (here (seq-position steps (formd-session-step session)
                             (lambda (step id) (equal (formd-get step "id") id)))))
    (and here (<= 0 (+ here by)) (nth (+ here by) steps))))

(defun formd-session-actions (session)
  "Return the actions of SESSION that are on the page where the user is.
One whose scope is a step is on the page of that step, others are on all."
  (seq-filter (lambda (action)
                (let ((step (formd-get action "step")))
                  (or (null step) (equal step (formd-session-step session)))))
              (formd-list (formd-session-description session) "actions")))

(defun formd-session-way-on (session)
  "Return the name of the action that leads on from the page of SESSION, or nil.
When it succeeds, nothing on the page stands in the way of the next one."
  (when-let* ((action (seq-find (lambda (action) (formd-get action "leadsTo"))
                                (formd-session-actions session))))
    (formd-get action "name")))

(defun formd-layout-step (session address)
  "Return the id of the step of SESSION that the field at ADDRESS is in, or nil.
It is the one that names the field, or else what is closest around it."
  (let ((template (formd-address-template address))
        (depth 0)
        found)
    (dolist (step (formd-list (formd-session-description session) "steps"))
      (dolist (place (formd-list step "fields"))
        (let ((names (length (formd-address-names place))))
          (when (and (> names depth) (formd-address-in-p template place))
            (setq depth names
                  found (formd-get step "id"))))))
    found))

(defun formd-layout--on-page-p (session field)
  "Return non-nil if FIELD of SESSION is on the page where the user is.
What is in no step is on every page."
  (let ((step (formd-layout-step session (formd-get field "address"))))
    (or (null step) (equal step (formd-session-step session)))))

;;;; Choices

(defun formd-session-options (session address &optional is-offered)
  "Return the choices of the field at ADDRESS in SESSION: (TEXT . VALUE) each.
Choices of the same name are told apart by their values.  With IS-OFFERED, a
disabled choice is among them only if it is the value."
  (let* ((now (formd-session-value session address))
         (taken (if (vectorp now) (append now nil) (list now)))
         (field (formd-session-field session address))
         (options (formd-layout--options session address field))
         (texts (mapcar (lambda (option)
                          (or (formd-get option "label")
                              (formd-text-of-value (formd-get option "value"))))
                        options)))
    (cl-loop for option in options
             for text in texts
             for value = (formd-get option "value")
             ;; A null among the choices means that the field may be empty.
             when (and value
                       (or (not is-offered)
                           (not (formd-true-p option "disabled"))
                           (cl-member value taken :test #'formd-equal)))
             collect (cons (if (> (cl-count text texts :test #'equal) 1)
                               (format "%s (%s)" text (formd-text-of-value value))
                             text)
                           value))))

(defun formd-layout--options (session address field)
  "Return the choices of FIELD as the daemon has them.
FIELD is at ADDRESS in SESSION."
  (if (not (formd-true-p field "hasLiveOptions"))
      (or (formd-list field "options") (formd-list field "items" "options"))
    (let ((names (formd-address-names address))
          (document (formd-session-document session)))
      (or (formd-list (formd-session-field-state session address) "options")
          ;; A member that is equal for all rows is in the outermost list.
          (cl-loop for count from 1 below (length names)
                   thereis (formd-list (formd-document-state
                                        document (formd-address (seq-take names count)))
                                       "options" (formd-address-template address)))))))

(defun formd-session-shown-value (session address)
  "Return the text by which people read the value at ADDRESS in SESSION."
  (let* ((value (formd-session-value session address))
         (options (formd-session-options session address))
         (text (lambda (part)
                 (or (car (cl-rassoc part options :test #'formd-equal))
                     (formd-text-of-value part)))))
    (if (vectorp value)
        (mapconcat text value ", ")
      (funcall text value))))

(provide 'formd-layout)
;;; formd-layout.el ends here
